package export

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"

	"agentlens/internal/model"
)

// HTML writes threads of a run as one page that stands alone: no script, nothing
// fetched from anywhere, light or dark as its reader has it.
func HTML(w io.Writer, g *Gate, r *model.Run, threads []*model.Thread) error {
	p := &page{plain{w: bufio.NewWriterSize(w, 1<<16), g: g, run: r}}
	p.front()
	for _, t := range threads {
		p.thread = t
		p.body()
	}
	p.line(p.own("</main></body></html>"))
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}

const pageStyle = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}
main{max-width:60rem;margin:0 auto;padding:1rem}table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0}
article{border-left:.2rem solid #8888;padding:.1rem 0 .1rem .8rem;margin:1rem 0}h3{font-size:1rem;margin:.2rem 0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0;font-size:.85rem}mark{font-size:.8rem;padding:0 .3rem}
.user{border-color:#2a7}.assistant{border-color:#27c}.tool{border-color:#b80}.system{border-color:#84c}
.marker{color:#84c;font-weight:bold}`

type page struct{ plain }

// esc is a text with what HTML would read as markup escaped.
func (p *page) esc(s Safe) Safe { return Safe{html.EscapeString(s.String())} }

func (p *page) front() {
	title := p.run.Title
	if title == "" {
		title = p.run.ID
	}
	safe := p.esc(p.g.Line(title))
	p.line(p.own(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>`), safe, p.own("</title><style>%s</style></head><body><main>", pageStyle))
	p.line(p.own("<h1>"), safe, p.own("</h1><table>"))
	c := p.run.Counts()
	p.row("run", p.run.ID)
	p.row("format", string(p.run.Format))
	p.row("status", string(p.run.Status))
	if at := Stamp(p.run.StartedAt); at != nil {
		p.row("started", *at)
	}
	p.row("models", strings.Join(p.run.Models(), ", "))
	p.row("messages", fmt.Sprint(c.Messages))
	p.row("tool calls", fmt.Sprintf("%d, %d pending", c.ToolCalls, c.Pending))
	p.row("provider calls", fmt.Sprint(c.Calls))
	p.row("redaction", p.g.Level().String())
	p.line(p.own("</table>"))
}

func (p *page) row(name, value string) {
	if value != "" {
		p.line(p.own("<tr><td>%s</td><td>", name), p.esc(p.g.Line(value)), p.own("</td></tr>"))
	}
}

func (p *page) body() {
	t := p.thread
	p.line(p.own("<h2>%s ", t.Kind), p.esc(p.g.Line(t.ID)), p.own("</h2>"))
	p.badges(t.Badges)
	marks := t.Markers
	for i := -1; i < t.Len() && p.err == nil; i++ {
		if i >= 0 {
			p.message(i)
		}
		for ; len(marks) > 0 && marks[0].After <= i; marks = marks[1:] {
			p.marker(&marks[0])
		}
	}
}

func (p *page) badges(set model.Badges) {
	for _, name := range badgeNames(set) {
		p.line(p.own("<mark>%s</mark>", html.EscapeString(name)))
	}
}

func (p *page) message(i int) {
	m := p.thread.At(i)
	p.line(p.own(`<article class="%s" id="m%d"><h3>%d · %s `, m.Role, i, i, m.Role), p.esc(p.g.Line(m.ToolName)), p.own("</h3>"))
	p.badges(m.Badges)
	if thinking, _ := p.run.Thinking(m); thinking != "" {
		p.folded("thinking", p.g.Text(thinking))
	}
	for j := range m.Parts {
		if part := &m.Parts[j]; part.Sealed {
			p.line(p.own("<p><i>thinking, sealed</i></p>"))
		} else if part.Kind != model.Text && part.Kind != model.Thinking {
			p.line(p.own("<p><i>%s ", part.Kind), p.esc(p.g.Line(part.Media)), p.own(", %d bytes</i></p>", part.Body.Len))
		}
	}
	text, err := p.run.Text(m)
	if err != nil {
		text = "[" + err.Error() + "]"
	}
	switch {
	case text == "":
	case m.Role == model.Tool || m.Role == model.System:
		p.folded(fmt.Sprintf("%d characters", len([]rune(text))), p.g.Text(text))
	default:
		p.line(p.own("<pre>"), p.esc(p.g.Text(text)), p.own("</pre>"))
	}
	for j := range m.Calls {
		c := &m.Calls[j]
		args, err := p.run.Body(c.Args)
		if err != nil {
			args = "[" + err.Error() + "]"
		}
		p.line(p.own("<p>→ <b>"), p.esc(p.g.Line(c.Name)), p.own("</b> <code>"), p.esc(p.g.Line(c.ID)), p.own("</code> %s</p><pre>", c.Status()), p.esc(p.g.Text(args)), p.own("</pre>"))
	}
	p.line(p.own("</article>"))
}

func (p *page) folded(name string, text Safe) {
	p.line(p.own("<details><summary>%s</summary><pre>", name), p.esc(text), p.own("</pre></details>"))
}

func (p *page) marker(m *model.Marker) {
	parts := []fmt.Stringer{p.own(`<p class="marker">%s`, m.Kind)}
	for _, d := range m.Detail {
		parts = append(parts, p.own(" · "), p.esc(p.g.Line(d.Key+" "+fmt.Sprint(d.Value))))
	}
	p.line(append(parts, p.own("</p>"))...)
}
