package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/members"
)

// A record is an object that caches the members that dialects read repeatedly.
type record struct {
	members.Object
	read map[string]member // by path
}

// A member is the value at a path of a record: a JSON value, or the decoded text of a string.
type member struct {
	text   []byte
	object members.Object // decoded from the text; nil if it is not an object
	deep   int            // values that nest too deep
}

func newRecord(o members.Object) record { return record{o, map[string]member{}} }

// at returns the member at a path. It parses texts along the path.
func (r record) at(path ...string) member {
	name := strings.Join(path, "/")
	if m, ok := r.read[name]; ok {
		return m
	}
	o, last := r.Object, len(path)-1
	if last > 0 {
		o = r.at(path[:last]...).object
	}
	m := opened(o, path[last])
	r.read[name] = m
	return m
}

// deep counts the values in decoded texts that nest too deep.
func (r record) deep() (n int) {
	for _, m := range r.read {
		n += m.deep
	}
	return n
}

// opened returns a member as written, or the text of a string. It decodes base64 and gzip.
func opened(o members.Object, key string) member {
	raw := o.Raw(key)
	text, isText := jsontext.Text(raw)
	if !isText {
		return member{text: raw, object: members.Of(raw)}
	}
	body := []byte(text)
	if o.Text("encoding") == "base64" {
		body = Unpacked(text)
	}
	m := member{text: body}
	if body = jsontext.Trim(body); len(body) > 0 && body[0] == '{' {
		if v := jsontext.Read(body); v.Err == nil && len(v.Rest) == 0 {
			m.object, m.deep = v.Object, v.Deep
		}
	}
	return m
}

// The paths of bodies in a record, most specific first.
var (
	requestPaths = [][]string{
		{"request", "body"}, {"request", "postData", "text"}, {"request"}, {"body"}, {"params"}, {"request_body"}, {"requestBody"}, {"raw_request"}, {"input", "inputBodyJson"}, {},
	}
	responsePaths = [][]string{
		{"response", "body"}, {"response", "content", "text"}, {"response", "body_raw"}, {"response"}, {"result", "message"}, {"result", "error"}, {"result"}, {"response_body"}, {"responseBody"}, {"raw_response"}, {"output", "outputBodyJson"}, {},
	}
	eventPaths = [][]string{{"response", "ws_events"}, {"response", "sse_events"}, {"response", "events"}, {"response", "chunks"}, {webSocket}}
)

// webSocket is the HAR member with the messages of both sides.
const webSocket = "_webSocketMessages"

// requestsOf returns the requests of a record and their path.
func requestsOf(d Dialect, o record) (list []members.Object, path []string) {
	for _, events := range [][]json.RawMessage{o.at("request").object.Array("ws_events"), o.Array(webSocket)} {
		for _, event := range eventsOf(events) {
			if d.IsRequest(event) {
				list = append(list, event)
			}
		}
	}
	for _, path := range requestPaths {
		body := o.Object
		if len(path) > 0 {
			body = o.at(path...).object
		}
		if body != nil && d.IsRequest(body) {
			if len(list) == 0 {
				list = []members.Object{body}
			}
			return list, path
		}
	}
	return list, []string{"request", "ws_events"}
}

// responsesOf returns the responses of a record and their path. An error next to a request,
// or in an answered batch, is a response too.
func responsesOf(d Dialect, o record, beside bool) (list []Folded, from []string) {
	for _, path := range eventPaths {
		events := slices.DeleteFunc(eventsOf(members.Array(o.at(path...).text)), d.IsRequest)
		if slices.ContainsFunc(events, d.IsEvent) {
			list, from = d.Fold(events), path
			break
		}
	}
	if len(list) > 0 && !list[len(list)-1].Torn {
		return list, from
	}
	for _, path := range responsePaths {
		if len(path) == 0 {
			if d.IsResponse(o.Object) && !beside {
				return []Folded{{Response: o.Object}}, path
			}
			continue
		}
		found := o.at(path...)
		body := jsontext.Trim(found.text)
		if len(body) == 0 {
			continue
		}
		if one := found.object; one != nil {
			if d.IsResponse(one) || beside && one.Raw("error") != nil {
				if len(list) > 0 {
					list[len(list)-1].Response, list[len(list)-1].Torn = one, false
					return list, path
				}
				return []Folded{{Response: one}}, path
			}
			continue
		}
		events, _ := chat.Events(body)
		if body[0] == '[' {
			events = eventsOf(members.Array(body))
		}
		if slices.ContainsFunc(events, d.IsEvent) {
			return d.Fold(events), path
		}
	}
	return list, from
}
