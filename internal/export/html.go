package export

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"unicode/utf8"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// HTML writes a document as a single page without scripts or external resources. The page follows the reader's
// light or dark mode.
func HTML(w io.Writer, g *safe.Gate, work *Document) error {
	return work.write(g, &htmlRenderer{lineWriter: lineWriter{w: bufio.NewWriterSize(w, 1<<16), g: g}})
}

const pageStyle = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}
main{max-width:60rem;margin:0 auto;padding:1rem}table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0}
article{border-left:.2rem solid #8888;padding:.1rem 0 .1rem .8rem;margin:1rem 0}h3{font-size:1rem;margin:.2rem 0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0;font-size:.85rem}mark{font-size:.8rem;padding:0 .3rem}
.user{border-color:#2a7}.assistant{border-color:#27c}.tool{border-color:#b80}.system{border-color:#84c}
.note{border-left:3px solid #84c;padding-left:.5em}.marker{color:#84c;font-weight:bold}.gap,.fate{opacity:.75;font-style:italic}`

// htmlRenderer writes an HTML page.
type htmlRenderer struct {
	lineWriter
	threads int // number of threads so far, for the ids of messages
}

// esc returns a text escaped for HTML.
func (p *htmlRenderer) esc(s safe.Safe) safe.Safe { return s.HTML() }

func (p *htmlRenderer) front(w *Document) {
	safe := p.esc(p.g.Title(w.title()))
	p.line(p.literal(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>`), safe, p.literal("</title><style>%s</style></head><body><main>", pageStyle))
	p.line(p.literal("<h1>"), safe, p.literal("</h1><table>"))
	for _, row := range w.facts() {
		p.row(row[0], row[1])
	}
	p.row("redaction", p.g.Level().String())
	p.line(p.literal("</table>"))
}

func (p *htmlRenderer) row(name, value string) {
	p.line(p.literal("<tr><td>%s</td><td>", name), p.esc(p.g.Line(value)), p.literal("</td></tr>"))
}

// code returns an id in a code element after a space, or nothing for an empty id.
func (p *htmlRenderer) code(id safe.Safe) fmt.Stringer {
	if id.String() == "" {
		return id
	}
	return p.literal(" <code>%s</code>", p.esc(id))
}

func (p *htmlRenderer) thread(t *model.Thread) {
	p.threads++
	p.line(p.literal("<h2>%s ", t.Kind), p.esc(p.g.Line(t.ID)), p.literal("</h2>"))
	p.badges(badgeNames(t.Badges))
}

func (p *htmlRenderer) badges(names []string) {
	for _, name := range names {
		p.line(p.literal("<mark>%s</mark>", html.EscapeString(name)))
	}
}

func (p *htmlRenderer) step(title safe.Safe) {
	p.line(p.literal("<p><b>"), p.esc(title), p.literal("</b></p>"))
}

func (p *htmlRenderer) message(h *heading) {
	id := ""
	if h.index >= 0 {
		id = fmt.Sprintf(` id="t%d-m%d"`, p.threads, h.index+1)
	}
	p.line(p.literal(`<article class="%s"%s><h3>%s · %s `, h.role, id, h.number(), h.role), p.esc(h.tool), p.code(h.callID), p.literal("</h3>"))
	p.badges(h.badges)
	if h.note.String() != "" {
		p.line(p.literal(`<p class="note">`), p.esc(h.note), p.literal("</p>"))
	}
	if h.fate.String() != "" {
		p.line(p.literal(`<p class="fate">`), p.esc(h.fate), p.literal("</p>"))
	}
}

func (p *htmlRenderer) thinking(text safe.Safe) { p.folded("thinking", text) }

func (p *htmlRenderer) sealed() { p.line(p.literal("<p><i>thinking, sealed</i></p>")) }

func (p *htmlRenderer) attachment(what, size safe.Safe) {
	p.line(p.literal("<p><i>"), p.esc(what), p.literal(", "), p.esc(size), p.literal("</i></p>"))
}

func (p *htmlRenderer) text(role model.Role, text safe.Safe) {
	if role == model.Tool || role == model.System {
		p.folded(fmt.Sprintf("%d characters", utf8.RuneCountInString(text.String())), text)
		return
	}
	p.line(p.literal("<pre>"), p.esc(text), p.literal("</pre>"))
}

func (p *htmlRenderer) folded(name string, text safe.Safe) {
	p.line(p.literal("<details><summary>%s</summary><pre>", name), p.esc(text), p.literal("</pre></details>"))
}

func (p *htmlRenderer) call(name, id safe.Safe, status string, arguments safe.Safe) {
	p.line(p.literal("<p>→ <b>"), p.esc(name), p.literal("</b>"), p.code(id), p.literal(" %s</p><pre>", status), p.esc(arguments), p.literal("</pre>"))
}

func (p *htmlRenderer) end() { p.line(p.literal("</article>")) }

func (p *htmlRenderer) marker(kind string, details []detail) {
	parts := []fmt.Stringer{p.literal(`<p class="marker">%s`, kind)}
	for _, d := range details {
		parts = append(parts, p.literal(" · %s ", html.EscapeString(d.key)), p.esc(d.value))
	}
	p.line(append(parts, p.literal("</p>"))...)
}

func (p *htmlRenderer) gap(words safe.Safe) {
	p.line(p.literal(`<p class="gap">… `), p.esc(words), p.literal("</p>"))
}

// receipt writes what was masked, and what was not searched for.
func (p *htmlRenderer) receipt() {
	r := p.g.Receipt()
	p.line(p.literal("<footer><ul>"))
	for _, sentence := range r.Sentences() {
		p.line(p.literal("<li>"), p.esc(p.g.Literal(sentence)), p.literal("</li>"))
	}
	p.line(p.literal("</ul></footer>"))
}

func (p *htmlRenderer) close(*Document) error {
	p.receipt()
	p.line(p.literal("</main></body></html>"))
	return p.flush()
}
