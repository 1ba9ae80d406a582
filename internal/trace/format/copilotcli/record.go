package copilotcli

import "agentlens/internal/jsontext"

// A span is the position of a value in the current line.
type span = jsontext.Span

// A record holds the positions of one event's members. It is reused for each line.
type record struct {
	typ, id, time, agent span
	hasData              bool
	data
}

// data holds the members of all kinds of events.
type data struct {
	session, selected, model, newModel, previous  span
	title, role, source, content, transformed     span
	message, reasoning, opaque, encrypted         span
	parent, callID, agentName, display            span
	note, kind, failure, summary, performer, upTo span
	trigger                                       span
	requests                                      []request
	attached                                      []attachment
	result                                        span // the text that a tool returned
	images                                        []attachment
	numbers                                       []number
	metrics                                       []metric
	output                                        int64
	hasOutput, failed                             bool
}

// A request is a tool call in a reply.
type request struct{ id, name, args span }

// An attachment is a file, an image or a reference.
type attachment struct{ kind, media, body, whole span }

// A number is a recorded count that a marker shows.
type number struct {
	key string
	n   int64
}

// A metric is the usage of one model in a session.
type metric struct {
	model                                              string
	input, output, read, write, reasoning              int64
	hasInput, hasOutput, hasRead, hasWrite, hasThought bool
}

// numbers maps recorded counts to the names that markers show.
var numbers = map[string]string{
	"tokenLimit":                      "token_limit",
	"preTruncationTokensInMessages":   "pre_tokens",
	"postTruncationTokensInMessages":  "post_tokens",
	"messagesRemovedDuringTruncation": "messages_removed",
	"preCompactionTokens":             "pre_tokens",
	"postCompactionTokens":            "post_tokens",
	"messagesRemoved":                 "messages_removed",
	"messagesCleared":                 "messages_cleared",
	"eventsRemoved":                   "events_removed",
	"statusCode":                      "status",
}

// parse reads one line and reports whether it is a complete JSON object.
func (r *record) parse(s *jsontext.Scanner, line []byte) bool {
	*r = record{data: data{
		requests: r.requests[:0], attached: r.attached[:0], images: r.images[:0], numbers: r.numbers[:0], metrics: r.metrics[:0],
	}}
	s.Reset(line)
	if s.Peek() != '{' {
		return false
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "type":
			r.typ = s.String()
		case "id":
			r.id = s.String()
		case "timestamp":
			r.time = s.String()
		case "agentId":
			r.agent = s.String()
		case "data":
			r.hasData = s.Peek() == '{'
			s.Object(func(key []byte) { r.data.member(s, string(key)) })
		}
	})
	return s.End()
}

// texts maps the members that are strings to their fields.
var texts = map[string]func(*data) *span{
	"sessionId":          func(d *data) *span { return &d.session },
	"selectedModel":      func(d *data) *span { return &d.selected },
	"model":              func(d *data) *span { return &d.model },
	"newModel":           func(d *data) *span { return &d.newModel },
	"previousModel":      func(d *data) *span { return &d.previous },
	"title":              func(d *data) *span { return &d.title },
	"role":               func(d *data) *span { return &d.role },
	"source":             func(d *data) *span { return &d.source },
	"content":            func(d *data) *span { return &d.content },
	"transformedContent": func(d *data) *span { return &d.transformed },
	"messageId":          func(d *data) *span { return &d.message },
	"reasoningText":      func(d *data) *span { return &d.reasoning },
	"reasoningOpaque":    func(d *data) *span { return &d.opaque },
	"encryptedContent":   func(d *data) *span { return &d.encrypted },
	"parentToolCallId":   func(d *data) *span { return &d.parent },
	"toolCallId":         func(d *data) *span { return &d.callID },
	"agentName":          func(d *data) *span { return &d.agentName },
	"agentDisplayName":   func(d *data) *span { return &d.display },
	"message":            func(d *data) *span { return &d.note },
	"errorMessage":       func(d *data) *span { return &d.note },
	"errorType":          func(d *data) *span { return &d.kind },
	"summaryContent":     func(d *data) *span { return &d.summary },
	"performedBy":        func(d *data) *span { return &d.performer },
	"upToEventId":        func(d *data) *span { return &d.upTo },
	"trigger":            func(d *data) *span { return &d.trigger },
}

func (d *data) member(s *jsontext.Scanner, key string) {
	if name, ok := numbers[key]; ok {
		if n, whole := s.Int(); whole {
			d.numbers = append(d.numbers, number{name, n})
		}
		return
	}
	switch key {
	case "toolRequests":
		s.Array(func() { d.requests = append(d.requests, oneRequest(s)) })
	case "attachments":
		s.Array(func() { d.attached = append(d.attached, oneAttachment(s)) })
	case "result":
		d.results(s)
	case "error":
		d.failure = textOrMessage(s)
	case "success":
		d.failed = s.Peek() == 'f' && !s.Bool()
	case "outputTokens":
		d.output, d.hasOutput = s.Int()
	case "modelMetrics":
		s.Object(func(key []byte) { d.metrics = append(d.metrics, oneMetric(s, string(key))) })
	default:
		if at := texts[key]; at != nil {
			*at(d) = s.String()
		}
	}
}

// textOrMessage reads a string, or the message member of an object.
func textOrMessage(s *jsontext.Scanner) span {
	if s.Peek() == '"' {
		return s.String()
	}
	var text span
	s.Object(func(key []byte) {
		if string(key) == "message" {
			text = s.String()
		}
	})
	return text
}

func (d *data) results(s *jsontext.Scanner) {
	if s.Peek() == '"' {
		d.result = s.String()
		return
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "content":
			d.result = s.Skip()
		case "contents":
			s.Array(func() { d.images = append(d.images, oneAttachment(s)) })
		}
	})
}

func oneRequest(s *jsontext.Scanner) request {
	var q request
	s.Object(func(key []byte) {
		switch string(key) {
		case "toolCallId":
			q.id = s.String()
		case "name":
			q.name = s.String()
		case "arguments":
			q.args = s.Skip()
		}
	})
	return q
}

func oneAttachment(s *jsontext.Scanner) attachment {
	start := s.Pos()
	var a attachment
	s.Object(func(key []byte) {
		switch string(key) {
		case "type":
			a.kind = s.String()
		case "mimeType":
			a.media = s.String()
		case "data":
			a.body = s.String()
		}
	})
	a.whole = span{Start: start, End: s.Pos()}
	return a
}

func oneMetric(s *jsontext.Scanner, name string) metric {
	m := metric{model: name}
	s.Object(func(key []byte) {
		if string(key) != "usage" {
			return
		}
		s.Object(func(key []byte) {
			switch string(key) {
			case "inputTokens":
				m.input, m.hasInput = s.Int()
			case "outputTokens":
				m.output, m.hasOutput = s.Int()
			case "cacheReadTokens":
				m.read, m.hasRead = s.Int()
			case "cacheWriteTokens":
				m.write, m.hasWrite = s.Int()
			case "reasoningTokens":
				m.reasoning, m.hasThought = s.Int()
			}
		})
	})
	return m
}
