package copilotcli

import "agentlens/internal/jsontext"

// A span is the position of a value in the current line.
type span = jsontext.Span

// A record holds the positions of one event's members. It is reused for each line.
type record struct {
	*tables
	typ, id, time, agent span
	hasData              bool
	data
}

// data holds the members of all kinds of events.
type data struct {
	session, selected, model, newModel, previous  span
	version, cwd, branch                          span
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

// A number is a recorded count that appears in a marker.
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

// numbers maps the members of recorded counts to the names used in markers.
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

// tables hold the decoders that fill the record of.
type tables struct {
	of      *record
	members *jsontext.Table
	files   *jsontext.Decoder[attachment]
}

// bind creates the tables that decode into r.
func (r *record) bind() {
	d, t := &r.data, &tables{of: r}
	t.files = jsontext.NewDecoder(func(a *attachment) jsontext.Fields {
		return jsontext.Fields{"type": &a.kind, "mimeType": &a.media, "data": &a.body}
	})
	requests := jsontext.NewDecoder(func(q *request) jsontext.Fields {
		return jsontext.Fields{"toolCallId": &q.id, "name": &q.name, "arguments": jsontext.Any{At: &q.args}}
	})
	metrics := jsontext.NewDecoder(func(m *metric) jsontext.Fields {
		return jsontext.Fields{"usage": jsontext.Fields{
			"inputTokens": jsontext.Int{N: &m.input, Has: &m.hasInput}, "outputTokens": jsontext.Int{N: &m.output, Has: &m.hasOutput},
			"cacheReadTokens": jsontext.Int{N: &m.read, Has: &m.hasRead}, "cacheWriteTokens": jsontext.Int{N: &m.write, Has: &m.hasWrite},
			"reasoningTokens": jsontext.Int{N: &m.reasoning, Has: &m.hasThought},
		}}
	})
	fields := jsontext.Fields{
		"sessionId": &d.session, "copilotVersion": &d.version, "context": jsontext.Either{Members: jsontext.Fields{"cwd": &d.cwd, "branch": &d.branch}}, "selectedModel": &d.selected, "model": &d.model, "newModel": &d.newModel, "previousModel": &d.previous,
		"title": &d.title, "role": &d.role, "source": &d.source, "content": &d.content, "transformedContent": &d.transformed,
		"messageId": &d.message, "reasoningText": &d.reasoning, "reasoningOpaque": &d.opaque, "encryptedContent": &d.encrypted,
		"parentToolCallId": &d.parent, "toolCallId": &d.callID, "agentName": &d.agentName, "agentDisplayName": &d.display,
		"message": &d.note, "errorMessage": &d.note, "errorType": &d.kind, "summaryContent": &d.summary, "performedBy": &d.performer,
		"upToEventId": &d.upTo, "trigger": &d.trigger,
		"outputTokens": jsontext.Int{N: &d.output, Has: &d.hasOutput},
		"success":      func(s *jsontext.Scanner) { d.failed = s.Peek() == 'f' && !s.Bool() },
		"error":        jsontext.Either{Text: &d.failure, Members: jsontext.Fields{"message": &d.failure}},
		"toolRequests": jsontext.Either{Each: func(s *jsontext.Scanner) { d.requests = append(d.requests, requests.Read(s)) }},
		"attachments":  jsontext.Either{Each: func(s *jsontext.Scanner) { d.attached = append(d.attached, r.file(s)) }},
		"result": jsontext.Either{Text: &d.result, Members: jsontext.Fields{
			"content":  jsontext.Any{At: &d.result},
			"contents": jsontext.Either{Each: func(s *jsontext.Scanner) { d.images = append(d.images, r.file(s)) }},
		}},
		"modelMetrics": func(s *jsontext.Scanner) {
			s.Object(func(key []byte) {
				m := metrics.Read(s)
				m.model = string(key)
				d.metrics = append(d.metrics, m)
			})
		},
	}
	for key, name := range numbers {
		fields[key] = func(s *jsontext.Scanner) {
			if n, whole := s.Int(); whole {
				d.numbers = append(d.numbers, number{name, n})
			}
		}
	}
	t.members = jsontext.NewTable(fields)
	r.tables = t
}

// parse reads one line and reports whether it is a complete JSON object.
func (r *record) parse(s *jsontext.Scanner, line []byte) bool {
	if r.tables == nil || r.of != r {
		r.bind()
	}
	*r = record{tables: r.tables, data: data{
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
			r.members.Read(s)
		}
	})
	return s.End()
}

func (r *record) file(s *jsontext.Scanner) attachment {
	start := s.Pos()
	file := r.files.Read(s)
	file.whole = span{Start: start, End: s.Pos()}
	return file
}
