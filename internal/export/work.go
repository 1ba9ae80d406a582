// Package export writes what a run holds, or what one call was sent, in the forms that
// may leave lens: transcript, Markdown, HTML, JSON and provider requests.
//
// It must never write a text that did not pass the gate (package safe).
package export

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// A Work is what leaves lens as one document: threads of a run, or what one call was
// sent.
type Work struct {
	Run *model.Run
	// Threads are written in full, one after the other.
	Threads []*model.Thread
	// View is what a call of the only thread was sent, nil for the whole history.
	// Strategy is the chain that made it, "" where the record tells it.
	View     *model.View
	Strategy string
}

// A voice writes the parts of a work in one form. What it is handed went through the
// gate; it adds only what its form asks for.
type voice interface {
	front(w *Work)
	thread(t *model.Thread)
	message(m *heading)
	thinking(text safe.Safe)
	sealed()
	attachment(what, size safe.Safe)
	text(role model.Role, text safe.Safe)
	call(name, id safe.Safe, status string, arguments safe.Safe)
	end() // of a message
	marker(kind string, details []detail)
	// gap stands for messages that the view does not have.
	gap(words safe.Safe)
	close(w *Work) error
}

// A heading is what is said of a message before its text.
type heading struct {
	index  int // -1: a stage or the harness put it there
	role   model.Role
	tool   safe.Safe
	callID safe.Safe
	badges []string
	fate   safe.Safe // what a stage did to it and why; empty where it is as recorded
}

// number is how a heading begins: the index, or + for a message that has none.
func (h *heading) number() string {
	if h.index < 0 {
		return "+"
	}
	return fmt.Sprint(h.index)
}

// A detail is one figure or word of a marker.
type detail struct {
	key   string
	value safe.Safe
}

// write gives a work to a voice.
func (w *Work) write(g *safe.Gate, v voice) error {
	v.front(w)
	for _, t := range w.Threads {
		v.thread(t)
		r := &reciter{voice: v, g: g, run: w.Run, t: t, marks: t.Markers}
		if w.View != nil {
			r.view(w.View)
		} else {
			r.history()
		}
	}
	return v.close(w)
}

// A reciter reads one thread to a voice.
type reciter struct {
	voice
	g     *safe.Gate
	run   *model.Run
	t     *model.Thread
	marks []model.Marker // those that are still to come
	gone  gone           // messages of the view that were not told yet
	about string         // before figures that are estimates
}

// gone is a stretch of messages that a view does not have.
type gone struct {
	count    int
	tokens   int64
	by, why  string
	notGiven bool
}

func (r *reciter) history() {
	r.markers(-1)
	for i := range r.t.Len() {
		r.message(i, nil)
		r.markers(i)
	}
}

// view reads what a call was sent, with what it was not sent told in its place.
func (r *reciter) view(v *model.View) {
	if v.Estimated {
		r.about = "~"
	}
	r.markers(-1)
	next := 0
	for i := range v.Entries {
		e := &v.Entries[i]
		for at := int(e.Index); next < at; next++ {
			r.leave(gone{count: 1, notGiven: true})
			r.markers(next)
		}
		if e.Fate == model.WasDropped {
			r.leave(gone{count: 1, tokens: int64(e.WasTokens), by: e.By, why: e.Reason})
		} else {
			r.tellGone()
			r.message(int(e.Index), e)
		}
		if int(e.Index) >= next {
			next = int(e.Index) + 1
			r.markers(int(e.Index))
		}
	}
	r.tellGone()
}

// leave adds a message to the stretch that is missing, or begins another where it is
// missing for another reason.
func (r *reciter) leave(g gone) {
	if r.gone.count > 0 && (r.gone.by != g.by || r.gone.why != g.why || r.gone.notGiven != g.notGiven) {
		r.tellGone()
	}
	if r.gone.count == 0 {
		r.gone = g
		return
	}
	r.gone.count++
	r.gone.tokens += g.tokens
}

func (r *reciter) tellGone() {
	g := r.gone
	r.gone = gone{}
	if g.count == 0 {
		return
	}
	what := fmt.Sprintf("%d messages", g.count)
	if g.count == 1 {
		what = "1 message"
	}
	if g.notGiven {
		r.gap(r.g.Line(what + " not given to this call"))
		return
	}
	r.gap(r.g.Line(fmt.Sprintf("%s dropped, %s%d tokens%s", what, r.about, g.tokens, because(g.by, g.why))))
}

// because says who did something and why: " by sliding_window(10): outside the window".
func because(by, why string) string {
	s := ""
	if by != "" {
		s = " by " + by
	}
	if why != "" {
		s += ": " + why
	}
	return s
}

// markers tells those that follow message after.
func (r *reciter) markers(after int) {
	for ; len(r.marks) > 0 && r.marks[0].After <= after; r.marks = r.marks[1:] {
		r.tellGone()
		m := &r.marks[0]
		details := make([]detail, 0, len(m.Detail))
		for _, d := range m.Detail {
			details = append(details, detail{d.Key, r.g.Line(fmt.Sprint(d.Value))})
		}
		r.marker(string(m.Kind), details)
	}
}

// message tells message i, as an entry of a view leaves it; i is -1 for one that was
// added.
func (r *reciter) message(i int, e *model.Entry) {
	h := heading{index: i, badges: []string{}}
	var m *model.Message
	switch {
	case i >= 0:
		m = r.t.At(i)
		h.role, h.tool, h.callID, h.badges = m.Role, r.g.Line(m.ToolName), r.g.Line(m.CallID), badgeNames(m.Badges)
	case e.Answers != nil:
		h.tool, h.callID = r.g.Line(e.Answers.ToolName), r.g.Line(e.Answers.CallID)
	}
	if e != nil {
		h.role = e.Role
		if e.Fate != model.Kept {
			h.fate = r.g.Line(e.Fate.String() + because(e.By, e.Reason))
		}
	}
	r.voice.message(&h)
	if m != nil {
		r.parts(m, e)
	}
	if text := r.words(m, e); text.String() != "" {
		r.text(h.role, text)
	}
	if m != nil {
		r.calls(m, e)
	}
	r.end()
}

func (r *reciter) parts(m *model.Message, e *model.Entry) {
	hidden := e != nil && e.NoThinking
	if !hidden {
		thinking, err := r.run.Thinking(m)
		if err != nil {
			thinking = unreadable(err)
		}
		if thinking != "" {
			r.thinking(r.g.Text(thinking))
		}
	}
	for j := range m.Parts {
		switch p := &m.Parts[j]; {
		case p.Sealed && !hidden:
			r.sealed()
		case !p.Sealed && p.Kind != model.Text && p.Kind != model.Thinking:
			r.attachment(r.g.Line(strings.TrimSpace(p.Kind.String()+" "+p.Media)), r.size(p))
		}
	}
}

// size says how much of an attachment the record holds, or where it only points.
func (r *reciter) size(p *model.Part) safe.Safe {
	if where := Elsewhere(r.run, p); where != "" {
		return r.g.Line(where)
	}
	return r.g.Literal(fmt.Sprintf("%d bytes stored", p.Body.Len))
}

// Elsewhere says of an image or a file that the record gives by its URL which host
// has it; "" of one that the record holds.
func Elsewhere(run *model.Run, p *model.Part) string {
	const longest = 4096 // bytes of a URL; what is longer is the thing itself
	if p.Kind != model.Image && p.Kind != model.File || p.Body.Len > longest {
		return ""
	}
	text, err := run.Body(p.Body)
	if err != nil || !strings.Contains(text, "://") {
		return ""
	}
	if u, err := url.Parse(strings.TrimSpace(text)); err == nil && u.Hostname() != "" {
		return "by URL, " + u.Hostname()
	}
	return "by URL"
}

// unreadable stands in the place of a text that could not be read.
func unreadable(err error) string { return "[" + err.Error() + "]" }

// words is the text of a message, as the view has it.
func (r *reciter) words(m *model.Message, e *model.Entry) safe.Safe {
	original := ""
	if m != nil {
		var err error
		if original, err = r.run.Text(m); err != nil {
			return r.g.Text(unreadable(err))
		}
	}
	if e != nil && e.Text != nil {
		return r.g.Pieces(original, e.Text)
	}
	return r.g.Text(original)
}

func (r *reciter) calls(m *model.Message, e *model.Entry) {
	left := make([]int, len(m.Calls))
	for j := range left {
		left[j] = j
	}
	if e != nil {
		left = LeftCalls(m, e)
	}
	for _, j := range left {
		c := &m.Calls[j]
		args := "{}"
		if e == nil || !e.EmptyArgs {
			var err error
			if args, err = r.run.Body(c.Args); err != nil {
				args = unreadable(err)
			}
		}
		r.call(r.g.Line(c.Name), r.g.Line(c.ID), c.Status(), r.g.Text(jsontext.Readable(args)))
	}
}

// title is what a work is called.
func (w *Work) title() string { return cmp.Or(w.Run.Title, w.Run.ID) }

// facts lists what is said of a work before its messages: names and what they are, and
// nothing that the record does not tell.
func (w *Work) facts() [][2]string {
	r, c := w.Run, w.Run.Counts()
	started := ""
	if at := Stamp(r.StartedAt); at != nil {
		started = *at
	}
	rows := [][2]string{
		{"run", r.ID},
		{"format", r.Format},
		{"status", string(r.Status)},
		{"started", started},
		{"models", strings.Join(r.Models(), ", ")},
		{"messages", fmt.Sprint(c.Messages)},
		{"tool calls", fmt.Sprintf("%d, %d pending", c.ToolCalls, c.Pending)},
		{"provider calls", fmt.Sprint(c.Calls)},
	}
	return slices.DeleteFunc(append(rows, w.about()...), func(row [2]string) bool { return row[1] == "" })
}

// about lists what is said of a view before its messages: names and what they are.
func (w *Work) about() [][2]string {
	v := w.View
	if v == nil {
		return nil
	}
	call := fmt.Sprintf("%d of %d", v.Call, len(w.Threads[0].Calls))
	if v.Call > len(w.Threads[0].Calls) {
		call = "the next one, after the record"
	}
	mark := ""
	if v.Estimated {
		mark = "~"
	}
	rows := [][2]string{{"view", "what call " + call + " was sent"}, {"basis", v.Basis.String()}}
	if v.Note != "" {
		rows = append(rows, [2]string{"note", v.Note})
	}
	if w.Strategy != "" {
		rows[0][1] = "what call " + call + " would have been sent"
		rows = append(rows, [2]string{"strategy", w.Strategy})
	}
	rows = append(rows, [2]string{"history", fmt.Sprintf("%d messages, %s%d tokens", v.Original.Messages, mark, v.Original.Tokens)},
		[2]string{"sent", fmt.Sprintf("%d messages, %s%d tokens", v.Curated.Messages, mark, v.Curated.Tokens)})
	for _, p := range v.Problems {
		rows = append(rows, [2]string{"problem", p.Rule + ": " + p.Message})
	}
	return rows
}
