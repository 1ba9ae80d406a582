package wire

import (
	"fmt"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/account"
	"agentlens/internal/trace/ground/asked"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/document"
)

// A loader builds a run from the exchanges of one entry.
type loader struct {
	*document.Builder
	listed bool
	asked  asked.Cache
	talks  []*builder
}

// A builder builds the thread of one conversation.
type builder struct {
	*loader
	hist   history
	thread *model.ThreadBuilder
	index  []int32 // maps a place in the conversation to a message of the thread, or -1
	units  []Unit  // the units that are not messages, by place
	wait   *waiting
	silent int  // number of the latest call if no response is recorded
	plain  bool // the record does not show which requests were made
	last   *exchange
	lastAt span
	rest   account.Account // of the end of the conversation
	done   *model.Thread   // nil until the conversation ends
}

// A waiting response is added when the next request contains it, or at the end.
type waiting struct {
	x    *exchange
	at   span
	call int // index of its call
}

// message adds a unit to the thread and returns the index of its message, or -1.
func (t *builder) message(u Unit, place string, at model.Time) int32 {
	switch u.Kind {
	case IsCompaction:
		t.Count(model.Records{Documents: 1})
		t.compaction(u, place, at)
		return -1
	case IsOpaque:
		t.Count(model.Records{Opaque: 1})
		t.Note(model.WarnUnknownRecord, place, "an entry of a kind that is not known: shown as a document")
		t.Attach("opaque entry", "opaque", u.Raw[0], place)
		return -1
	}
	d := t.dialect()
	dec := Decoder{Decoder: t.Chat, Unknown: func(kind, place string) {
		t.Note(model.WarnUnknownPart, place, "a part of kind %s is not known: shown as it was written", chat.Quote(kind))
	}}
	m := d.Message(dec, u, place)
	m.Role, m.At = u.Role, at
	for _, raw := range u.Raw {
		m.Origin = append(m.Origin, dec.JSON(raw, place))
	}
	for _, p := range m.Parts {
		if p.Sealed {
			m.Badges = m.Badges.With(model.Sealed)
		}
	}
	return int32(t.Add(t.thread, m))
}

func (t *builder) dialect() Dialect { return t.last.Dialect }

// compaction adds a marker where a summary replaces the history.
func (t *builder) compaction(u Unit, place string, at model.Time) {
	detail := []model.Detail{{Key: "summary", Value: u.Text}}
	if u.Text == "" {
		detail = []model.Detail{{Key: "sealed", Value: true}}
	}
	th := t.thread.Thread()
	th.Markers = append(th.Markers, model.Marker{
		Kind: model.Compaction, After: t.thread.Len() - 1, At: at, Detail: detail,
		Origin: t.Chat.JSON(u.Raw[0], place),
	})
	t.Attach("compaction", "compaction", u.Raw[0], place)
}

// add adds a unit to the conversation.
func (t *builder) add(u Unit, place string, at model.Time) int32 {
	i := t.message(u, place, at)
	t.index = append(t.index, i)
	if i >= 0 {
		u = Unit{}
	}
	t.units = append(t.units, u)
	return i
}

// exchange adds one exchange to the thread.
func (t *builder) exchange(x *exchange, at span) {
	if t.last == nil {
		t.hist.id = x.id
	}
	if th := t.thread.Thread(); th.Title == "" {
		th.Title = title(x)
	}
	t.last, t.lastAt = x, at
	s, ok := t.hist.align(x)
	if !ok {
		s = step{} // the first exchange of the conversation
	}
	s = t.hist.next(x, s)
	if s.taken {
		t.take()
	} else {
		t.unheard()
	}
	for i := s.fresh; i < len(x.input); i++ {
		m := t.add(x.input[i], t.place(at, x.input[i].Path), 0)
		if i == s.fresh {
			t.answer(m)
		}
	}
	t.damage(x, at)
	if x.isRequest() || x.response != nil {
		t.call(x, s, at)
	} else {
		t.plain = true
	}
}

// answer makes the first new message of a request the reply of the previous call, if that
// call records no response.
func (t *builder) answer(m int32) {
	if t.silent > 0 && m >= 0 && t.thread.At(int(m)).Role == model.Assistant {
		t.thread.Thread().Calls[t.silent-1].Reply = model.Some(m)
	}
}

// take adds the previous response to the conversation. It uses the units of the response,
// because the request may omit thinking.
func (t *builder) take() {
	w := t.wait
	t.wait = nil
	if w == nil {
		return
	}
	t.reply(w)
}

// reply adds a response to the conversation and links its call to the reply.
func (t *builder) reply(w *waiting) {
	was := t.last
	t.last = w.x
	reply := w.x.reply()
	for i, u := range w.x.output {
		m := t.add(u, t.place(w.at, "response, "+u.Path), w.x.at)
		if i == reply && m >= 0 {
			t.thread.Thread().Calls[w.call].Reply = model.Some(m)
		}
	}
	t.last = was
}

// unheard keeps a response that the next request does not contain. The client retried or gave
// up, so the response is not part of the conversation.
func (t *builder) unheard() {
	w := t.wait
	if w == nil {
		return
	}
	t.wait = nil
	c := &t.thread.Thread().Calls[w.call]
	c.Note += "; its reply is not in the next request"
	for _, u := range w.x.output {
		for _, raw := range u.Raw {
			t.Count(model.Records{Documents: 1})
			t.Attach(fmt.Sprintf("reply of call %d, not taken up", c.Number), "reply", raw, t.place(w.at, "response, "+u.Path))
		}
	}
}

// place describes a position in the source.
func (l *loader) place(s span, what string) string {
	switch {
	case s.number == 0:
		return l.Base + ", " + what
	case l.listed:
		return fmt.Sprintf("%s entry %d, %s", l.Base, s.number, what)
	}
	return fmt.Sprintf("%s line %d, %s", l.Base, s.number, what)
}

func newLoader(path string, e entry, format string, listed bool) *loader {
	l := &loader{Builder: document.New(path, format, e.id), listed: listed}
	l.Run.Title = e.title
	for i := range e.talks {
		id, kind := "main", model.ThreadKind("main")
		if e.talks > 1 {
			id, kind = fmt.Sprintf("conversation-%d", i+1), "conversation"
		}
		l.talks = append(l.talks, &builder{loader: l, hist: history{reply: -1}, thread: model.NewThread(id, kind)})
	}
	return l
}
