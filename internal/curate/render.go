package curate

import (
	"strings"
	"unicode/utf8"

	"agentlens/internal/model"
)

var renderTemplateSpec = Spec{
	Name:    "render_template",
	Summary: "The view as one text, as a model that takes a prompt only would get it; the system message stays. keep_text before it leaves tools out.",
	Whose:   "flujo, FSD-033 history_template",
	Last:    true,
	Params:  []Param{{Name: "template", Kind: KindWord, Default: flujoTemplate, Help: "Handlebars with each history, if, unless, else, this.role, this.content and this.tool"}},
	build: func(a args) (Built, error) {
		t, err := parseTemplate(a.word("template"))
		if err != nil {
			return Built{}, &BuildError{a.call, err.Error()}
		}
		return Built{Stage: &render{template: t, at: -1}, reasons: []string{"", "put into the text of the rendered template", "the view as one text"}}, nil
	},
}

// flujoTemplate writes the history as flujo does where a loop has no template.
const flujoTemplate = `"--- Conversation History ---\n{{#each history}}{{this.role}}: {{this.content}}\n{{/each}}\n-----------------------------\n"`

const (
	whyRendered = 1 + iota
	whyRendering
)

// render makes one text of a view. Its size is the sum of what each message adds,
// so that it can be told at every call without writing the text.
type render struct {
	template template
	nth      int
	pins     *preserve

	head  Key
	own   []int32 // per key, the tokens it adds
	total int64
	count int
	at    Key // the text in the view, or -1
}

func (r *render) slot(nth int) { r.nth = nth }

// spare leaves out what is preserved.
func (r *render) spare(p *preserve) { r.pins = p }

func (r *render) Step(f *Facts, in, out *Layer) {
	if r.own == nil {
		r.own = make([]int32, len(in.items))
	}
	was := r.head
	r.head = in.Head()
	changed := was != r.head
	update := func(k Key) {
		changed = r.update(f, in, out, k) || changed
	}
	for _, k := range in.delta {
		update(k)
	}
	if r.pins != nil {
		for _, k := range r.pins.kept.delta {
			update(k)
		}
	}
	for k := in.live.Next(min(was, r.head)); k >= 0 && k < max(was, r.head); k = in.Next(k) {
		update(k)
	}
	if changed {
		r.put(f, in, out)
	}
}

// update takes note of k, and reports whether the text is another one now.
func (r *render) update(f *Facts, in, out *Layer, k Key) bool {
	own := int32(0)
	switch {
	case !in.Live(k):
		out.Drop(k, whyGone)
	case k < r.head || r.pins != nil && r.pins.kept.Live(k):
		out.Put(k, in.items[k], 0)
	default:
		out.Drop(k, whyRendered)
		own = max(1, r.size(f, in, k))
	}
	had := r.own[k]
	r.own[k] = own
	r.total += int64(own - had)
	r.count += int(b2i(own > 0) - b2i(had > 0))
	return own > 0 || had > 0
}

// size is what the message at k adds, in tokens.
func (r *render) size(f *Facts, in *Layer, k Key) int32 {
	now := turn{role: in.Role(k).String(), tool: toolOf(in.Keyspace, k)}
	if f.vars.size.read {
		now.content = f.vars.text(in.Keyspace, k, in.items[k])
		return int32(f.vars.size.sizes.counter.Count(r.template.item(now)))
	}
	return itemGuess(r.template, now, f.vars.runes(in.Keyspace, k, in.items[k]))
}

// itemGuess is about how many tokens a text of so many code points adds.
func itemGuess(t template, now turn, runes int32) int32 {
	now.content = ""
	if runes > 0 {
		now.content = "x"
	}
	return int32(min(int64(utf8.RuneCountInString(t.item(now)))+int64(runes)+3, 1<<30) / 4)
}

func toolOf(space *Keyspace, k Key) string {
	if !space.IsMessage(k) {
		return ""
	}
	return space.Thread.At(space.Place(k)).ToolName
}

// put puts the text of this call into the view.
func (r *render) put(f *Facts, in, out *Layer) {
	at := Key(-1)
	if r.count > 0 {
		at = in.Slot(in.Place(r.head), r.nth)
	}
	if r.at >= 0 && r.at != at {
		out.Drop(r.at, whyGone)
	}
	if r.at = at; at < 0 {
		return
	}
	around := utf8.RuneCountInString(r.template.render(nil))
	e := rendered{replayed: f.replayed, stage: f.stage, call: f.Number, template: r.template, count: r.count, tokens: int32(min(r.total+int64(around/4), 1<<30))}
	in.added[at] = Addition{Role: model.User}
	out.Put(at, f.vars.add(in.Keyspace, at, Item{}, f.stage, e), whyRendering)
}

// rendered is the text of one call. It is written when it is looked at, from what
// became of each message at that call.
type rendered struct {
	replayed *Replayed
	stage    int
	call     int
	template template
	count    int
	tokens   int32
}

func (e rendered) Apply(c *Content) {
	r := e.replayed
	var history []turn
	for k := range Key(len(r.heads)) {
		ev, ok := r.eventAt(k, e.call)
		if !ok || int(ev.stage) != e.stage || ev.why != whyRendered || ev.fate != model.WasDropped {
			continue
		}
		now := turn{role: r.space.Role(k).String(), tool: toolOf(r.space, k)}
		now.content = r.vars.text(r.space, k, Item{Variant: ev.variant, Live: true})
		history = append(history, now)
	}
	c.Text = []model.Piece{}
	if text := e.template.render(history); text != "" {
		c.Text = []model.Piece{{Insert: strings.ToValidUTF8(text, "\uFFFD")}}
	}
}

func (e rendered) Guess(Variant) (tokens, runes int32) {
	tokens = Overhead + e.tokens
	return tokens, 4 * min(tokens, 1<<28)
}

func (rendered) StandsIn() {}
func (e rendered) Reason() string {
	return group(e.count) + " messages as one text"
}
