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

// HTML writes a work as one page that stands alone: no script, nothing fetched from
// anywhere, light or dark as its reader has it.
func HTML(w io.Writer, g *safe.Gate, work *Work) error {
	return work.write(g, &page{paper: paper{w: bufio.NewWriterSize(w, 1<<16), g: g}})
}

const pageStyle = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}
main{max-width:60rem;margin:0 auto;padding:1rem}table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0}
article{border-left:.2rem solid #8888;padding:.1rem 0 .1rem .8rem;margin:1rem 0}h3{font-size:1rem;margin:.2rem 0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0;font-size:.85rem}mark{font-size:.8rem;padding:0 .3rem}
.user{border-color:#2a7}.assistant{border-color:#27c}.tool{border-color:#b80}.system{border-color:#84c}
.marker{color:#84c;font-weight:bold}.gap,.fate{opacity:.75;font-style:italic}`

// page is the voice of a page.
type page struct {
	paper
	threads int // begun so far: part of the names of messages
}

// esc is a text with what HTML would read as markup escaped.
func (p *page) esc(s safe.Safe) safe.Safe { return s.HTML() }

func (p *page) front(w *Work) {
	safe := p.esc(p.g.Title(w.title()))
	p.line(p.own(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>`), safe, p.own("</title><style>%s</style></head><body><main>", pageStyle))
	p.line(p.own("<h1>"), safe, p.own("</h1><table>"))
	for _, row := range w.facts() {
		p.row(row[0], row[1])
	}
	p.row("redaction", p.g.Level().String())
	p.line(p.own("</table>"))
}

func (p *page) row(name, value string) {
	p.line(p.own("<tr><td>%s</td><td>", name), p.esc(p.g.Line(value)), p.own("</td></tr>"))
}

// code is an id as code, with a blank before it; nothing where there is none.
func (p *page) code(id safe.Safe) fmt.Stringer {
	if id.String() == "" {
		return id
	}
	return p.own(" <code>%s</code>", p.esc(id))
}

func (p *page) thread(t *model.Thread) {
	p.threads++
	p.line(p.own("<h2>%s ", t.Kind), p.esc(p.g.Line(t.ID)), p.own("</h2>"))
	p.badges(badgeNames(t.Badges))
}

func (p *page) badges(names []string) {
	for _, name := range names {
		p.line(p.own("<mark>%s</mark>", html.EscapeString(name)))
	}
}

func (p *page) message(h *heading) {
	id := ""
	if h.index >= 0 {
		id = fmt.Sprintf(` id="t%d-m%d"`, p.threads, h.index)
	}
	p.line(p.own(`<article class="%s"%s><h3>%s · %s `, h.role, id, h.number(), h.role), p.esc(h.tool), p.code(h.callID), p.own("</h3>"))
	p.badges(h.badges)
	if h.fate.String() != "" {
		p.line(p.own(`<p class="fate">`), p.esc(h.fate), p.own("</p>"))
	}
}

func (p *page) thinking(text safe.Safe) { p.folded("thinking", text) }

func (p *page) sealed() { p.line(p.own("<p><i>thinking, sealed</i></p>")) }

func (p *page) attachment(what, size safe.Safe) {
	p.line(p.own("<p><i>"), p.esc(what), p.own(", "), p.esc(size), p.own("</i></p>"))
}

func (p *page) text(role model.Role, text safe.Safe) {
	if role == model.Tool || role == model.System {
		p.folded(fmt.Sprintf("%d characters", utf8.RuneCountInString(text.String())), text)
		return
	}
	p.line(p.own("<pre>"), p.esc(text), p.own("</pre>"))
}

func (p *page) folded(name string, text safe.Safe) {
	p.line(p.own("<details><summary>%s</summary><pre>", name), p.esc(text), p.own("</pre></details>"))
}

func (p *page) call(name, id safe.Safe, status string, arguments safe.Safe) {
	p.line(p.own("<p>→ <b>"), p.esc(name), p.own("</b>"), p.code(id), p.own(" %s</p><pre>", status), p.esc(arguments), p.own("</pre>"))
}

func (p *page) end() { p.line(p.own("</article>")) }

func (p *page) marker(kind string, details []detail) {
	parts := []fmt.Stringer{p.own(`<p class="marker">%s`, kind)}
	for _, d := range details {
		parts = append(parts, p.own(" · %s ", html.EscapeString(d.key)), p.esc(d.value))
	}
	p.line(append(parts, p.own("</p>"))...)
}

func (p *page) gap(words safe.Safe) {
	p.line(p.own(`<p class="gap">… `), p.esc(words), p.own("</p>"))
}

func (p *page) close(*Work) error {
	p.line(p.own("</main></body></html>"))
	return p.flush()
}
