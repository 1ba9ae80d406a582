package diff

import (
	"slices"
	"unicode/utf8"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// leastObject is the least width of the object of a call that is cut, in cells.
const leastObject = 10

// An object is the object of a call in a summary.
type object struct {
	part int  // index of its part
	path bool // where it does not fit, its end is shown
	says int  // width of the line of the result, in cells; it gets up to half of the row
}

// summaryOf returns the summary of a message in one line, as the rows of the history: its text, and what its calls
// did. It also returns which parts to cut where the line is too long.
func summaryOf(r *view.Reader, e *model.Entry) (parts []kit.Part, objects []object) {
	s := r.Summarise(r.RequestOf(e))
	add := func(t safe.Safe) {
		if n := len(t.String()); n > 0 {
			parts = append(parts, kit.Part{Text: t, To: n})
		}
	}
	called := func(c *view.CallSummary, result bool) {
		says := c.Says
		if !result { // the row of the result has it
			says = safe.Safe{}
		}
		add(c.Verb)
		if c.Object.String() != "" {
			add(r.Gate.Literal(" "))
			objects = append(objects, object{len(parts), c.Path, text.Width(says.String())})
			add(c.Object)
		}
		if c.Failed {
			parts = append(parts, kit.Part{Own: " " + kit.SignFailed, St: kit.Failure})
		}
		if c.Figure.String() != "" {
			add(r.Gate.Literal(" "))
			add(c.Figure)
		}
		if says.String() != "" {
			add(r.Gate.Literal(" · "))
			add(says)
		}
	}
	if s.Answers != nil {
		called(s.Answers, true)
	} else {
		add(s.Text)
	}
	for i := range s.Calls {
		if len(parts) > 0 {
			add(r.Gate.Literal(" "))
		}
		add(r.Gate.Literal("→ "))
		called(&s.Calls[i], false)
	}
	return parts, objects
}

// cutObjects cuts the objects of calls, the last one first, until the parts fit in room cells.
func cutObjects(parts []kit.Part, objects []object, room int) []kit.Part {
	over := -room
	for i := range parts {
		over += text.Width(string(parts[i].Own)) + text.Width(parts[i].Text.String()[parts[i].From:parts[i].To])
	}
	for _, o := range objects { // the line of a result is cut where the row ends
		over += min(o.says, room/2) - o.says
	}
	if over <= 0 || len(objects) == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	for _, o := range slices.Backward(objects) {
		p := &parts[o.part]
		s := p.Text.String()
		wide := text.Width(s[p.From:p.To])
		keep := max(wide-over, leastObject)
		if over <= 0 || keep >= wide {
			continue
		}
		cut := kit.Part{Own: "…", St: kit.Plain}
		if o.path {
			for p.From < p.To && (!utf8.RuneStart(s[p.From]) || text.Width(s[p.From:p.To]) >= keep) {
				p.From++
			}
			parts = slices.Insert(parts, o.part, cut)
		} else {
			n, _ := text.Fit(s[p.From:p.To], keep-1)
			p.To = p.From + n
			parts = slices.Insert(parts, o.part+1, cut)
		}
		over -= wide - keep
	}
	return parts
}
