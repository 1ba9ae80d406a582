package wire

import (
	"encoding/json"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/account"
	"agentlens/internal/trace/ground/chat"
)

// end completes a conversation after its last exchange, and drops what it holds of exchanges. Its documents and warnings
// wait for finish, which adds them conversation by conversation.
func (t *builder) end() {
	if t.last == nil {
		return
	}
	before := t.Account
	t.Account = account.Account{}
	if w := t.wait; w != nil {
		t.wait = nil
		t.reply(w)
	}
	if t.plain && len(t.thread.Thread().Calls) == 0 {
		chat.AddCalls(t.thread, t.last.facts.Model)
	}
	t.documents()
	t.rest, t.Account = t.Account, before
	t.done = t.thread.Build()
	t.last, t.hist, t.units, t.index = nil, history{}, nil, nil // what they hold is large
}

// finish builds the run.
func (l *loader) finish(records []lost) *model.Run {
	var rests []*account.Account
	for _, t := range l.talks {
		t.end()
		if t.done != nil {
			rests = append(rests, &t.rest)
			l.Run.Threads = append(l.Run.Threads, t.done)
		}
	}
	l.Join(rests)
	l.lost(records)
	run := l.Run
	l.Fill(run)
	chat.AddTimes(run)
	chat.AddCallTimes(run)
	return run
}

// documents adds the other members of the last exchange as documents.
func (t *builder) documents() {
	x, prefix := t.last, ""
	if len(t.talks) > 1 {
		prefix = t.thread.Thread().ID + "."
	}
	add := func(name, kind string, raw json.RawMessage) {
		t.Count(model.Records{Documents: 1})
		t.Attach(prefix+name, kind, raw, t.place(t.lastAt, name))
	}
	for _, e := range x.extras() {
		add(e.name, "metadata", e.raw)
	}
	for _, key := range x.request.Names(x.HistoryKeys()...) {
		kind := "metadata"
		if key == "tools" {
			kind = key
		}
		add("request."+key, kind, x.request[key])
	}
	if x.response != nil {
		raw, _ := json.Marshal(x.response) // decoded values always marshal
		add("response", "response", raw)
	}
}

// damage reports torn and unknown parts of an exchange.
func (t *builder) damage(x *exchange, at span) {
	if x.torn {
		t.Count(model.Records{Torn: 1})
		t.Note(model.WarnTorn, t.place(at, "its end"), "the stream ends before the response does: what came is shown")
	}
	if x.cut {
		t.Count(model.Records{Torn: 1})
		t.Note(model.WarnTorn, t.place(at, "its end"), "the file ends in the middle of the record: what was whole is shown")
	}
	if x.rest > 0 {
		t.Count(model.Records{Skipped: 1})
		t.Note(model.WarnTrailingData, t.place(at, "its end"), "%d bytes follow the record and were not read", x.rest)
	}
	if x.deep > 0 {
		t.Note(model.WarnLimit, t.place(at, "all of it"), "%d values nest more than %d levels deep: a text replaces each", x.deep, jsontext.KeptDepth)
	}
	for _, raw := range x.unknown {
		t.Count(model.Records{Opaque: 1})
		t.Attach("unknown event", "opaque", raw, t.place(at, "an event"))
	}
	if n := len(x.unknown); n > 0 {
		t.Note(model.WarnUnknownRecord, t.place(at, "the stream"), "%d events are of kinds that are not known: shown as documents", n)
	}
}

// lost reports records that no run shows.
func (l *loader) lost(records []lost) {
	for _, r := range records {
		if r.torn {
			l.Count(model.Records{Torn: 1})
			l.Note(model.WarnTorn, l.place(r.span, "its end"), "the last record is cut off: it was not read")
			continue
		}
		l.Count(model.Records{Skipped: 1})
		l.Note(model.WarnUnreadableRecord, l.place(r.span, "all of it"), "it holds neither a request nor a response and was skipped")
	}
}
