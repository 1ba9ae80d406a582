package geminicli

import (
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/lines"
	"agentlens/internal/trace/ground/source"
)

// An index is the chat as the lines read so far leave it.
type index struct {
	lines   *lines.Builder
	id      string
	title   string
	kind    string
	started model.Time
	entries []*entry
	byID    map[string]*entry // the latest of an id
	answers map[string]*entry // the latest result of a call
	masked  map[string]string // what a masked result of a call was sent as
}

// An entry is a record at its place: messages, a line of the screen, or a marker.
type entry struct {
	id       string
	msgs     []*model.Message // the message, and the results in it
	reply    bool             // one request of its own
	model    string
	usage    model.Usage
	marker   *model.Marker
	restart  bool     // the marker begins a new view
	stay     []*entry // what stays in that view
	masks    []mask   // results that the marker says were sent as other texts
	gone     bool     // rewound: not in the thread
	past     bool     // compressed away: in the thread, no longer sent
	replaced bool     // another entry took over its id
	origin   model.Ref
}

// A mask is a result that was sent as another text from a place on.
type mask struct {
	entry *entry
	msg   int // index into its messages
	text  string
}

// live reports whether the entry is a message that is still sent.
func (e *entry) live() bool { return !e.gone && !e.past && !e.replaced && len(e.msgs) > 0 }

func newIndex(f *source.File) *index {
	return &index{lines: lines.New(f), byID: map[string]*entry{}, answers: map[string]*entry{}, masked: map[string]string{}}
}

// line files one line.
func (x *index) line(row lines.Row) {
	var h header
	s := jsontext.New(row.Data)
	if s.Peek() != '{' {
		x.lines.Broken(row)
		return
	}
	if h.read(s); !s.End() {
		x.lines.Broken(row)
		return
	}
	switch {
	case !h.rewind.Absent():
		x.lines.Document("rewind records", "records", row.Whole())
		x.rewind(row.String(h.rewind), row)
	case h.set.Absent() && (!h.id.Absent() || !h.typ.Absent()) && h.session.Absent():
		x.put(row, appended)
	case !h.set.Absent():
		x.lines.Document("set records", "records", row.Whole())
		x.take(row, &h, patched)
	case !h.session.Absent():
		x.lines.Document("header", "records", row.Whole())
		x.take(row, &h, listed)
	default:
		x.lines.Opaque("", row.Whole())
	}
}

// document files a recording that is one JSON document; it reports false when
// it is none. Of a torn one the messages that are whole are taken.
func (x *index) document(row lines.Row) bool {
	var h header
	s := jsontext.New(row.Data)
	h.read(s)
	if h.session.Absent() && len(h.messages) == 0 {
		return false
	}
	if s.End() {
		x.lines.Count(model.Records{Documents: 1})
	} else {
		x.lines.Count(model.Records{Torn: 1})
		x.lines.Warn(model.WarnTorn, "the document breaks off before its end; the messages before that are shown", x.lines.File.Path)
	}
	x.take(row, &h, listed)
	return true
}

// take reads what a header says and files the messages it lists.
func (x *index) take(row lines.Row, h *header, how manner) {
	if s := row.String(h.session); s != "" && x.id == "" {
		x.id = s
	}
	if s := row.String(h.summary); s != "" {
		x.title = s
	}
	if s := row.String(h.kind); s != "" {
		x.kind = s
	}
	if at := row.Time(h.start); at != 0 && x.started == 0 {
		x.started = at
	}
	if h.listed && (how == patched || len(h.messages) > 0) {
		x.replace(row, h, how)
	}
}

// replace makes the listed messages the history. Those that are new come after
// the others; where some are gone for them it was a compression, else a rollback.
func (x *index) replace(row lines.Row, h *header, how manner) {
	stays := map[*entry]bool{}
	var fresh []lines.Row
	var masks []mask
	for _, at := range h.messages {
		one := row.Sub(at)
		var r record
		if !one.Sound() || !r.parse(one) {
			x.lines.Within()
			x.lines.Opaque("message", one.Whole())
			continue
		}
		if old := x.byID[one.String(r.id)]; old != nil && old.live() {
			stays[old] = true
			masks = append(masks, x.changed(old, one, &r)...)
			continue
		}
		fresh = append(fresh, one)
	}
	var missing, stay []*entry
	for _, e := range x.entries {
		switch {
		case !e.live():
		case stays[e]:
			stay = append(stay, e)
		default:
			missing = append(missing, e)
		}
	}
	fresh = x.unmirrored(fresh)
	switch {
	case len(missing) == 0:
	case len(fresh) > 0:
		m := x.mark(model.Compaction, row, model.Detail{Key: "kept", Value: int64(len(stay))}, model.Detail{Key: "replaced", Value: int64(len(missing))})
		m.restart, m.stay, m.masks, m.marker.At = true, stay, x.stillMasked(stay), row.Time(h.updated)
		for _, e := range missing {
			e.past = true
		}
	default:
		x.drop(missing, row)
	}
	if len(masks) > 0 {
		m := x.mark(model.Microcompaction, row, model.Detail{Key: "cleared", Value: int64(len(masks))})
		m.masks, m.marker.At = masks, row.Time(h.updated)
	}
	for _, one := range fresh {
		x.lines.Within()
		x.put(one, how)
	}
}

// changed lists the results of an entry that a newer history holds with another
// text: the program sends less of them from there on.
func (x *index) changed(e *entry, row lines.Row, r *record) []mask {
	var list []mask
	for i := range r.calls {
		c := &r.calls[i]
		id := row.String(c.id)
		for k, m := range e.msgs {
			if !c.answered || m.Role != model.Tool || m.CallID != id {
				continue
			}
			text, was := x.text(x.parts(row, c.result)), x.text(m.Parts)
			if sent, ok := x.masked[id]; ok {
				was = sent
			}
			if text != was {
				x.masked[id] = text
				list = append(list, mask{entry: e, msg: k, text: text})
			}
			break
		}
	}
	return list
}

// stillMasked lists the results among entries that stay in a new view and were
// sent as other texts before it.
func (x *index) stillMasked(stay []*entry) []mask {
	var list []mask
	for _, e := range stay {
		for k, m := range e.msgs {
			if text, ok := x.masked[m.CallID]; ok && m.Role == model.Tool {
				list = append(list, mask{entry: e, msg: k, text: text})
			}
		}
	}
	return list
}

// text reads the texts of parts from the file.
func (x *index) text(parts []model.Part) string {
	var texts []string
	for i := range parts {
		if parts[i].Kind != model.Text {
			continue
		}
		if text, err := (source.Files{x.lines.File}).Body(parts[i].Body); err == nil {
			texts = append(texts, text)
		}
	}
	return chat.Cut(strings.Join(texts, "\n"), maxText)
}

// maxText bounds what is kept of a text that was sent in place of another, in bytes.
const maxText = 256 << 10

// unmirrored leaves out the records that only repeat results: a history holds
// these as turns of the user, the recording in the calls.
func (x *index) unmirrored(list []lines.Row) []lines.Row {
	var rest []lines.Row
	for _, row := range list {
		var r record
		r.parse(row)
		mirror := len(r.parts) > 0
		for i := range r.parts {
			p := &r.parts[i]
			by := x.answers[row.String(p.of)]
			mirror = mirror && p.result && by != nil && by.live()
		}
		if !mirror {
			rest = append(rest, row)
		}
	}
	return rest
}

// rewind drops the message with the id and all after it; all when there is none
// such, as the program does.
func (x *index) rewind(id string, row lines.Row) {
	from := 0
	for i, e := range x.entries {
		if e.id == id && e.live() {
			from = i
		}
	}
	var after []*entry
	for _, e := range x.entries[from:] {
		if e.live() {
			after = append(after, e)
		}
	}
	x.drop(after, row)
}

func (x *index) drop(list []*entry, row lines.Row) {
	messages := 0
	for _, e := range list {
		e.gone = true
		messages += len(e.msgs)
		x.lines.Gather("rewound records", "rewound", e.origin)
	}
	x.mark(model.Rewind, row, model.Detail{Key: "messages", Value: int64(messages)})
}

func (x *index) mark(kind model.MarkerKind, row lines.Row, detail ...model.Detail) *entry {
	e := &entry{
		marker: &model.Marker{Kind: kind, Detail: detail, Origin: row.Whole()}, origin: row.Whole(),
	}
	x.entries = append(x.entries, e)
	return e
}
