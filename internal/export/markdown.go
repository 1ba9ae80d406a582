package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// Markdown writes a document as Markdown.
func Markdown(w io.Writer, g *safe.Gate, work *Document) error {
	return work.write(g, &markdownRenderer{lineWriter{w: bufio.NewWriterSize(w, 1<<16), g: g}})
}

// markdownRenderer writes Markdown.
type markdownRenderer struct{ lineWriter }

// code returns an id as a code span.
func (d *markdownRenderer) code(id safe.Safe) fmt.Stringer {
	return d.literal("`%s`", id.NoBackticks())
}

// md returns one line of text, escaped for Markdown.
func (d *markdownRenderer) md(s string) safe.Safe { return d.g.Line(s).MarkdownLine() }

func (d *markdownRenderer) front(w *Document) {
	d.line(d.literal("# "), d.g.Title(w.title()).MarkdownLine())
	d.line()
	d.line(d.literal("| | |\n| --- | --- |"))
	for _, row := range w.facts() {
		d.line(d.literal("| %s | ", row[0]), d.md(row[1]), d.literal(" |"))
	}
	d.line(d.literal("| redaction | %s |", d.g.Level()))
	d.line()
}

func (d *markdownRenderer) thread(t *model.Thread) {
	d.line(d.literal("## %s ", t.Kind), d.md(t.ID))
	d.line()
	if names := badgeNames(t.Badges); len(names) > 0 {
		d.line(d.literal("‹%s›\n", strings.Join(names, "› ‹")))
	}
}

func (d *markdownRenderer) step(title safe.Safe) {
	d.line(d.literal("**"), title.MarkdownLine(), d.literal("**"))
	d.line()
}

func (d *markdownRenderer) message(h *heading) {
	head := []fmt.Stringer{d.literal("### %s · %s", h.number(), h.role)}
	if h.tool.String() != "" {
		head = append(head, d.literal(" · "), h.tool.MarkdownLine())
	}
	if h.callID.String() != "" {
		head = append(head, d.literal(" "), d.code(h.callID))
	}
	for _, b := range h.badges {
		head = append(head, d.literal(" ‹%s›", b))
	}
	d.line(head...)
	d.line()
	if h.note.String() != "" {
		d.line(d.literal("> **note** "), h.note.OneLine().MarkdownLine(), d.literal("\n"))
	}
	if h.fate.String() != "" {
		d.line(d.literal("*"), h.fate.MarkdownLine(), d.literal("*\n"))
	}
}

func (d *markdownRenderer) thinking(text safe.Safe) {
	d.line(d.literal("<details><summary>thinking</summary>\n"))
	d.fenced("", text)
	d.line(d.literal("</details>\n"))
}

func (d *markdownRenderer) sealed() { d.line(d.literal("*thinking, sealed*\n")) }

func (d *markdownRenderer) attachment(what, size safe.Safe) {
	d.line(d.literal("*"), what.MarkdownLine(), d.literal(", "), size.MarkdownLine(), d.literal("*\n"))
}

func (d *markdownRenderer) text(role model.Role, text safe.Safe) {
	if role == model.Tool || role == model.System {
		d.fenced("", text)
		return
	}
	d.line(text.MarkdownText())
	d.line()
}

func (d *markdownRenderer) call(name, id safe.Safe, status string, arguments safe.Safe) {
	d.line(d.literal("→ **"), name.MarkdownLine(), d.literal("** "), d.code(id), d.literal(" %s\n", status))
	d.fenced("json", arguments)
}

func (d *markdownRenderer) end() {}

// fenced writes a block between fences longer than any run of backticks in it.
func (d *markdownRenderer) fenced(lang string, text safe.Safe) {
	run, longest := 0, 2
	for _, c := range []byte(text.String()) {
		if run++; c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	d.line(d.literal("%s%s", fence, lang))
	d.line(text)
	d.line(d.literal("%s\n", fence))
}

func (d *markdownRenderer) marker(kind string, details []detail) {
	parts := []fmt.Stringer{d.literal("> **%s**", kind)}
	for _, x := range details {
		parts = append(parts, d.literal(" · %s ", x.key), x.value.MarkdownLine())
	}
	d.line(parts...)
	d.line()
}

func (d *markdownRenderer) gap(words safe.Safe) {
	d.line(d.literal("> … "), words.MarkdownLine())
	d.line()
}

// receipt writes what was masked, and what was not searched for.
func (d *markdownRenderer) receipt() {
	r := d.g.Receipt()
	d.line(d.literal("---\n"))
	for _, sentence := range r.Sentences() {
		d.line(d.literal("- "), d.g.Literal(sentence).MarkdownLine())
	}
}

func (d *markdownRenderer) close(*Document) error {
	d.receipt()
	return d.flush()
}
