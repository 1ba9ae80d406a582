package curate

import (
	"iter"
	"strings"
	"unicode/utf8"

	"agentlens/internal/model"
)

func renderTemplateRow() Row {
	return Row{
		Spec: Spec{
			Name:    "render_template",
			Summary: "The view as one text, as a model that takes a prompt only would get it; the system message stays. keep_text before it leaves tools out.",
			Whose:   "flujo, FSD-033 history_template",
			Last:    true,
			Params:  []Param{{Name: "template", Kind: KindWord, Default: flujoTemplate, Help: "Handlebars with each history, if, unless, else, this.role, this.content and this.tool"}},
		},
		build: func(a *args) (Stage, error) {
			t, err := parseTemplate(a.word("template"))
			if err != nil {
				return nil, a.fail(err.Error())
			}
			return &render{template: t, at: -1, rendered: a.because("put into the text of the rendered template")}, nil
		},
	}
}

// flujoTemplate writes the history as flujo does where a loop has no template.
const flujoTemplate = `"--- Conversation History ---\n{{#each history}}{{this.role}}: {{this.content}}\n{{/each}}\n-----------------------------\n"`

// render makes one text of a view. Its size is the sum of what each message adds,
// so that it can be told at every call without writing the text.
type render struct {
	template template
	OneSlot
	rendered Reason // of a message
	pins     Pinner // may be nil

	head  Key
	own   []int32 // per key, the tokens it adds
	total int64
	count int
	at    Key // the text in the view, or -1
}

// Spare implements [Sparer].
func (r *render) Spare(p Pinner) { r.pins = p }

// Step implements [Stage].
func (r *render) Step(f *Facts, in, out *Layer) {
	if r.own == nil {
		r.own = make([]int32, in.Size())
	}
	was := r.head
	r.head = in.Head()
	changed := was != r.head
	update := func(k Key) {
		changed = r.update(f, in, out, k) || changed
	}
	for _, k := range in.Changed() {
		update(k)
	}
	if r.pins != nil {
		for _, k := range r.pins.Pinned().Changed() {
			update(k)
		}
	}
	for k := range in.Between(was, r.head) {
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
		out.Drop(k, Gone)
	case k < r.head || r.pins != nil && r.pins.Pinned().Live(k):
		out.Put(k, in.At(k), AsIs)
	default:
		out.Drop(k, r.rendered)
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
	if f.Reads() {
		now.content = f.Text(k, in.At(k))
		return int32(f.Count(r.template.item(now)))
	}
	return itemGuess(r.template, now, f.Runes(k, in.At(k)))
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
		at = in.Slot(in.Place(r.head), r.First)
	}
	if r.at >= 0 && r.at != at {
		out.Drop(r.at, Gone)
	}
	if r.at = at; at < 0 {
		return
	}
	around := utf8.RuneCountInString(r.template.render(nil))
	e := rendered{
		contents: f.Contents, messages: f.Dropped(r.rendered), template: r.template,
		count: r.count, tokens: int32(min(r.total+int64(around/4), 1<<30)),
	}
	in.Fill(at, Addition{Role: model.User})
	out.Put(at, f.Edit(at, Item{}, e), ByEdit)
}

// rendered is the text of one call. It is written when a view is read.
type rendered struct {
	contents *Contents
	messages iter.Seq2[Key, Item]
	template template
	count    int
	tokens   int32
}

// Apply implements [Edit].
func (e rendered) Apply(c *Content) {
	var history []turn
	for k, it := range e.messages {
		history = append(history, turn{role: e.contents.Role(k).String(), tool: toolOf(e.contents.Keyspace, k), content: e.contents.Text(k, it)})
	}
	c.Text = []model.Piece{}
	if text := e.template.render(history); text != "" {
		c.Text = []model.Piece{{Insert: strings.ToValidUTF8(text, "\uFFFD")}}
	}
}

// Guess implements [Guesser].
func (e rendered) Guess(Variant) (tokens, runes int32) {
	tokens = Overhead + e.tokens
	return tokens, 4 * min(tokens, 1<<28)
}

// StandsIn implements [StandIn].
func (rendered) StandsIn() {}

// Reason implements [Edit].
func (e rendered) Reason() string {
	return Comma(e.count) + " messages as one text"
}
