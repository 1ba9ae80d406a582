package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// Transcript writes a work as plain text for reading, markers in their places.
func Transcript(w io.Writer, g *safe.Gate, work *Work) error {
	return work.write(g, &plain{paper{w: bufio.NewWriterSize(w, 1<<16), g: g}})
}

// A paper is what a voice writes on; it keeps the first error.
type paper struct {
	w   *bufio.Writer
	g   *safe.Gate
	err error
}

// line writes lens's own words and texts that went through the gate.
func (p *paper) line(parts ...fmt.Stringer) {
	for _, s := range parts {
		if p.err == nil {
			_, p.err = p.w.WriteString(s.String())
		}
	}
	if p.err == nil {
		p.err = p.w.WriteByte('\n')
	}
}

func (p *paper) own(format string, a ...any) fmt.Stringer {
	return p.g.Literal(fmt.Sprintf(format, a...))
}

func (p *paper) flush() error {
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}

// plain is the voice of a terminal.
type plain struct{ paper }

func (p *plain) front(w *Work) {
	c := w.Run.Counts()
	p.line(p.own("run "), p.g.Line(w.Run.ID), p.own(" · "), p.g.Title(w.Run.Title))
	p.line(p.own("%s · %s · %d messages · %d calls · %d tool calls, %d pending", w.Run.Format, w.Run.Status, c.Messages, c.Calls, c.ToolCalls, c.Pending))
	if c.Threads > 1 && len(w.Threads) == 1 {
		p.line(p.own("thread "), p.g.Line(w.Threads[0].ID), p.own(" (%s), one of %d", w.Threads[0].Kind, c.Threads))
	}
	for _, row := range w.about() {
		p.line(p.own("%s: ", row[0]), p.g.Line(row[1]))
	}
	if w.View == nil {
		for _, t := range w.Threads {
			p.failed(t, len(w.Threads) > 1)
		}
	}
}

// failedShown is how many messages of failed calls are named.
const failedShown = 20

// failed says how many calls of a thread failed, and where that is told.
func (p *plain) failed(t *model.Thread, named bool) {
	messages, calls := t.Failed()
	if calls == 0 {
		return
	}
	var places []string
	for _, i := range messages[:min(len(messages), failedShown)] {
		places = append(places, fmt.Sprint(i))
	}
	more := ""
	if n := len(messages) - failedShown; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	of := []fmt.Stringer{p.own("failed tool calls: %d, at messages %s%s", calls, strings.Join(places, ", "), more)}
	if named {
		of = append(of, p.own(" of thread "), p.g.Line(t.ID))
	}
	p.line(of...)
}

func (p *plain) thread(t *model.Thread) {
	if names := badgeNames(t.Badges); len(names) > 0 {
		p.line(p.own("‹%s›", strings.Join(names, "› ‹")))
	}
	p.line()
}

func (p *plain) message(h *heading) {
	head := []fmt.Stringer{p.own("── %s %s", h.number(), h.role)}
	for _, s := range []safe.Safe{h.tool, h.callID} {
		if s.String() != "" {
			head = append(head, p.own(" "), s)
		}
	}
	if len(h.badges) > 0 {
		head = append(head, p.own(" ‹%s›", strings.Join(h.badges, "› ‹")))
	}
	if h.fate.String() != "" {
		head = append(head, p.own(" · "), h.fate)
	}
	p.line(head...)
}

func (p *plain) thinking(text safe.Safe) { p.line(p.own("[thinking] "), text) }

func (p *plain) sealed() { p.line(p.own("[thinking, sealed: the record holds it encrypted]")) }

func (p *plain) attachment(what, size safe.Safe) {
	p.line(p.own("["), what, p.own(", "), size, p.own("]"))
}

func (p *plain) text(_ model.Role, text safe.Safe) { p.line(text.TrimNewlines()) }

func (p *plain) call(name, id safe.Safe, status string, arguments safe.Safe) {
	badge := ""
	if status != "completed" {
		badge = " ‹" + status + "›"
	}
	p.line(p.own("→ "), name, p.own(" "), id, p.own("%s ", badge), arguments)
}

func (p *plain) end() { p.line() }

func (p *plain) marker(kind string, details []detail) {
	parts := []fmt.Stringer{p.own("═══ %s", kind)}
	for _, d := range details {
		parts = append(parts, p.own(" · %s ", d.key), d.value)
	}
	p.line(append(parts, p.own(" ═══"))...)
	p.line()
}

func (p *plain) gap(words safe.Safe) {
	p.line(p.own("┊ … "), words)
	p.line()
}

func (p *plain) close(w *Work) error {
	if r := w.Run.Records; r.Lost() {
		p.line(p.own("%d records read: %d messages, %d documents, %d opaque, %d torn, %d skipped", r.Read, r.Messages, r.Documents, r.Opaque, r.Torn, r.Skipped))
	}
	return p.flush()
}
