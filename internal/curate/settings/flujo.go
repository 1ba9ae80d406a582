package settings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"agentlens/internal/curate"
)

// The defaults of flujo's history manager, which also replace missing or zero values.
const (
	flujoTokens = 4096
	flujoTurns  = 20
	flujoRatio  = 0.5
)

// A loopBlock is a loop of a pipeline, or a history_management on its own.
type loopBlock struct {
	name string
	loop value
}

// readFlujo reads the history_management of a pipeline loop, of flujo.toml, or on its own.
func readFlujo(source, part string) (Reading, bool, error) {
	named := strings.Contains(source, "history_management") || strings.Contains(source, "conversation:")
	doc, err := flujoDocument(source)
	if err != nil {
		if named {
			return Reading{}, true, err
		}
		return Reading{}, false, nil
	}
	var loops []loopBlock
	if s := doc.get("strategy"); s.kind == text && (doc.has("max_tokens") || doc.has("max_turns") || doc.has("summarize_ratio")) {
		doc = value{kind: object, fields: []field{{"history_management", doc}}}
	}
	loopsIn(doc, "", &loops)
	if len(loops) == 0 {
		if named && doc.kind == object {
			return Reading{}, true, errors.New("no loop with conversation: true or history_management is in it")
		}
		return Reading{}, false, nil
	}
	loop, err := loopNamed(loops, part)
	if err != nil {
		return Reading{}, true, err
	}
	r := Reading{}
	r.Chain = flujoChain(loop, &r.Notes)
	return r, true, nil
}

func flujoDocument(source string) (value, error) {
	if strings.Contains(source, "[conversation.history_management]") {
		doc, err := fromTOML(source)
		if err != nil {
			return doc, err
		}
		return doc.get("conversation"), nil
	}
	return fromYAML(source)
}

// loopsIn lists the conversational loops of a document in order.
func loopsIn(v value, name string, loops *[]loopBlock) {
	if n := v.get("name"); n.kind == text {
		name = n.text
	}
	if v.get("history_management").kind == object || v.get("conversation").yes {
		*loops = append(*loops, loopBlock{name, v})
	}
	for _, f := range v.fields {
		if f.key != "history_management" {
			loopsIn(f.value, name, loops)
		}
	}
	for _, item := range v.items {
		loopsIn(item, "", loops)
	}
}

func loopNamed(loops []loopBlock, name string) (loopBlock, error) {
	var names []string
	for _, l := range loops {
		if l.name == name && name != "" {
			return l, nil
		}
		names = append(names, strconv.Quote(l.name))
	}
	switch {
	case name != "":
		return loopBlock{}, fmt.Errorf("no conversational loop %q; there is %s", name, strings.Join(names, ", "))
	case len(loops) > 1:
		return loopBlock{}, fmt.Errorf("%d conversational loops; name one behind #: %s", len(loops), strings.Join(names, ", "))
	}
	return loops[0], nil
}

// flujoChain returns the chain of a loop in the order in which flujo applies them: the
// filter of tool artifacts, the limits, and the template.
func flujoChain(l loopBlock, notes *[]string) string {
	owner := l.name
	if owner == "" {
		owner = "history_management"
	}
	a := argsOf(owner, l.loop.get("history_management"), notes)
	var c chain
	c.add("keep_text")
	tokens := orNumber(a.number(flujoTokens, "max_tokens"), flujoTokens)
	turns := orNumber(a.number(flujoTurns, "max_turns"), flujoTurns)
	strategy, _ := a.take("strategy")
	ratio := a.number(flujoRatio, "summarize_ratio")
	switch s := strings.ToLower(strings.TrimSpace(strategy.text)); s {
	case "truncate_turns":
		c.add("truncate_turns", "max", amount(max(1, turns)), "pin_first", "true")
	case "summarize":
		if ratio <= 0 || ratio >= 1 {
			a.note("summarize_ratio=%s is outside 0 to 1; flujo takes %s", amount(ratio), amount(flujoRatio))
			ratio = flujoRatio
		}
		c.add("summarize", "ratio", amount(ratio), "max_tokens", amount(max(1, tokens)))
		a.note("flujo prepends the first turn once more before the summary, and counts characters/2.5; neither is carried over")
	default:
		if s != "" && s != "truncate_tokens" {
			a.note("there is no strategy %q; flujo takes truncate_tokens", s)
		}
		c.add("truncate_tokens", "max", amount(max(1, tokens)), "tokens", "chars/2.5", "pin_first", "true")
	}
	a.rest(map[string]string{"summarizer_agent": "flujo drops it from YAML loops, and lens asks no model: the summary is made of the texts"})
	loopNotes(l, argsOf(owner, l.loop, notes), &c)
	return c.String()
}

func orNumber(n, def float64) float64 {
	if n == 0 {
		return def
	}
	return n
}

// loopNotes reads the template and adds notes about the other history settings of a loop.
func loopNotes(l loopBlock, a *args, c *chain) {
	if on, ok := a.take("conversation"); ok && !on.yes {
		a.note("conversation is off, so flujo injects no history at all")
	}
	if t, ok := a.take("history_template"); ok && t.kind == text {
		c.add("render_template", "template", strconv.Quote(t.text))
	}
	for _, s := range l.loop.get("body").items {
		if use := s.get("use_history"); use.kind == boolean && !use.yes {
			a.note("step %s has use_history: false: its calls are sent no history", s.get("name"))
		}
	}
	for _, key := range []string{"ai_turn_source", "user_turn_sources", "named_steps"} {
		if v, ok := a.take(key); ok && v.text != "last" && strings.Join(v.texts(), ",") != "hitl" {
			a.note("%s=%s says which turns are recorded; the history is taken as the run has it, --turns rebuilds it", key, v)
		}
	}
	if v := l.loop.get("init").get("history"); v.kind != null {
		a.note("init.history=%s says how the history is seeded; the history is taken as the run has it", v)
	}
}

// A flujoLoop is the YAML form of a loop block.
type flujoLoop struct {
	Conversation bool          `yaml:"conversation"`
	Management   flujoSettings `yaml:"history_management"`
	Template     string        `yaml:"history_template,omitempty"`
}

type flujoSettings struct {
	Strategy string  `yaml:"strategy"`
	Tokens   int64   `yaml:"max_tokens,omitempty"`
	Turns    int64   `yaml:"max_turns,omitempty"`
	Ratio    float64 `yaml:"summarize_ratio,omitempty"`
}

// writeFlujo writes a loop block without a body.
func writeFlujo(w *writing) {
	loop := flujoLoop{Conversation: true}
	filtered := false
	for _, c := range w.chain {
		switch c.Spec.Name {
		case "keep_text":
			filtered = true
		case "render_template":
			loop.Template = c.Arg("template").Word
		case "truncate_tokens", "truncate_turns", "summarize":
			if loop.Management.Strategy != "" {
				w.lose("%s: a loop has one strategy", c)
				continue
			}
			w.flujo(&loop.Management, c)
		default:
			w.unknown(c)
		}
	}
	if loop.Management.Strategy == "" {
		return
	}
	if !filtered {
		w.lose("tool calls, results and call-shaped JSON: flujo leaves them out always, as keep_text does")
	}
	data, err := yaml.Marshal(map[string]flujoLoop{"loop": loop})
	if err != nil {
		w.lose("%v", err)
		return
	}
	w.line("%s", strings.TrimRight(string(data), "\n"))
}

// flujo sets the strategy of a loop from a stage.
func (w *writing) flujo(s *flujoSettings, c curate.Stage) {
	limit := c.Arg("max")
	if limit.Unit == curate.Percent {
		w.lose("max of %s: flujo takes no share of the window; its default is left", c.Spec.Name)
		limit.Number = 0
	}
	s.Strategy = c.Spec.Name
	switch c.Spec.Name {
	case "truncate_tokens":
		s.Tokens = int64(limit.Number)
		if c.Arg("tokens").Word != "chars/2.5" {
			w.lose("tokens of truncate_tokens: flujo counts characters/2.5")
		}
	case "truncate_turns":
		s.Turns = int64(limit.Number)
	case "summarize":
		s.Tokens, s.Ratio = int64(c.Arg("max_tokens").Number), c.Arg("ratio").Number
		w.loseParams(c, "trigger", "summary", "role")
	}
	if !c.Arg("pin_first").Bool && c.Spec.Name != "summarize" {
		w.lose("pin_first of %s: flujo always prepends the first turn", c.Spec.Name)
	}
}
