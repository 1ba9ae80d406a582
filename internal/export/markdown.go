package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// Markdown writes a work as a Markdown document that can be shared.
func Markdown(w io.Writer, g *safe.Gate, work *Work) error {
	return work.write(g, &markdown{paper{w: bufio.NewWriterSize(w, 1<<16), g: g}})
}

// markdown is the voice of a Markdown document.
type markdown struct{ paper }

// code is an id as code.
func (d *markdown) code(id safe.Safe) fmt.Stringer { return d.own("`%s`", id.NoBackticks()) }

// md is a text on one line, with what Markdown would read as markup escaped.
func (d *markdown) md(s string) safe.Safe { return d.g.Line(s).MarkdownLine() }

func (d *markdown) front(w *Work) {
	d.line(d.own("# "), d.g.Title(w.title()).MarkdownLine())
	d.line()
	d.line(d.own("| | |\n| --- | --- |"))
	for _, row := range w.facts() {
		d.line(d.own("| %s | ", row[0]), d.md(row[1]), d.own(" |"))
	}
	d.line(d.own("| redaction | %s |", d.g.Level()))
	d.line()
}

func (d *markdown) thread(t *model.Thread) {
	d.line(d.own("## %s ", t.Kind), d.md(t.ID))
	d.line()
	if names := badgeNames(t.Badges); len(names) > 0 {
		d.line(d.own("‹%s›\n", strings.Join(names, "› ‹")))
	}
}

func (d *markdown) message(h *heading) {
	head := []fmt.Stringer{d.own("### %s · %s", h.number(), h.role)}
	if h.tool.String() != "" {
		head = append(head, d.own(" · "), h.tool.MarkdownLine())
	}
	if h.callID.String() != "" {
		head = append(head, d.own(" "), d.code(h.callID))
	}
	for _, b := range h.badges {
		head = append(head, d.own(" ‹%s›", b))
	}
	d.line(head...)
	d.line()
	if h.fate.String() != "" {
		d.line(d.own("*"), h.fate.MarkdownLine(), d.own("*\n"))
	}
}

func (d *markdown) thinking(text safe.Safe) {
	d.line(d.own("<details><summary>thinking</summary>\n"))
	d.fenced("", text)
	d.line(d.own("</details>\n"))
}

func (d *markdown) sealed() { d.line(d.own("*thinking, sealed*\n")) }

func (d *markdown) attachment(what, size safe.Safe) {
	d.line(d.own("*"), what.MarkdownLine(), d.own(", "), size.MarkdownLine(), d.own("*\n"))
}

func (d *markdown) text(role model.Role, text safe.Safe) {
	if role == model.Tool || role == model.System {
		d.fenced("", text)
		return
	}
	d.line(text.MarkdownText())
	d.line()
}

func (d *markdown) call(name, id safe.Safe, status string, arguments safe.Safe) {
	d.line(d.own("→ **"), name.MarkdownLine(), d.own("** "), d.code(id), d.own(" %s\n", status))
	d.fenced("json", arguments)
}

func (d *markdown) end() {}

// fenced writes a block between fences longer than any run of backticks in it.
func (d *markdown) fenced(lang string, text safe.Safe) {
	run, longest := 0, 2
	for _, c := range []byte(text.String()) {
		if run++; c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	d.line(d.own("%s%s", fence, lang))
	d.line(text)
	d.line(d.own("%s\n", fence))
}

func (d *markdown) marker(kind string, details []detail) {
	parts := []fmt.Stringer{d.own("> **%s**", kind)}
	for _, x := range details {
		parts = append(parts, d.own(" · %s ", x.key), x.value.MarkdownLine())
	}
	d.line(parts...)
	d.line()
}

func (d *markdown) gap(words safe.Safe) {
	d.line(d.own("> … "), words.MarkdownLine())
	d.line()
}

func (d *markdown) close(*Work) error { return d.flush() }
