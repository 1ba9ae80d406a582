// Package lint holds a view to what providers accept: which messages of it a
// provider would refuse, and in which words.
//
// The rules and the providers' texts are in one table, [Rules]. The texts were
// collected from public error reports of 2024 to 2026; providers change them
// without notice. A view is judged as it would be written in the provider's form:
// for Anthropic and Gemini system messages stand apart, and results that follow
// each other are one message. Compatible servers accept much of what is found
// here, in silence.
//
// It must never change a view, nor call one valid because a lenient server takes
// it. It does not judge what no record of another form can hold: signatures of
// thinking, encrypted reasoning, results of tools that the provider ran.
package lint

import (
	"fmt"
	"slices"
	"strings"

	"agentlens/internal/model"
)

// A Linter judges the views of one thread.
type Linter struct {
	run    *model.Run
	thread *model.Thread
	window int64
	notes  []note // what was read of each message, once
}

type note struct{ read, blank, emptyCalls bool }

// New returns a linter for the views of t, a thread of r. The window of the model
// is in tokens, 0 when it is not known.
func New(r *model.Run, t *model.Thread, window int64) *Linter {
	return &Linter{run: r, thread: t, window: window, notes: make([]note, t.Len())}
}

// CheckEach returns what each of the providers would refuse in a view.
func (l *Linter) CheckEach(v *model.View, providers []string) ([]model.Problem, error) {
	var all []model.Problem
	for _, p := range providers {
		found, err := l.Check(v, p)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Check returns what the provider, one of [Providers], would refuse in a view, in
// the order of the rules, then of the messages. Message is the provider's text.
func (l *Linter) Check(v *model.View, provider string) ([]model.Problem, error) {
	p, err := lookup(provider)
	if err != nil {
		return nil, err
	}
	req, err := l.request(v, p)
	if err != nil {
		return nil, err
	}
	var found []model.Problem
	for _, rule := range Rules() {
		text := rule.Texts[p.name]
		if text == "" {
			continue
		}
		for _, f := range rule.find(req) {
			found = append(found, model.Problem{Rule: rule.ID, Provider: p.name, Index: model.Some(f.index), Message: f.fill(text)})
		}
	}
	return found, nil
}

// A fault is one place where a rule is broken.
type fault struct {
	index    int // message of the thread, or -1
	at, with int // places in the request's list
	ids      []string
	tokens   int64
	window   int64
}

// fill puts what a fault is about into a provider's text.
func (f fault) fill(text string) string {
	return strings.NewReplacer(
		"{at}", fmt.Sprint(f.at), "{with}", fmt.Sprint(f.with), "{ids}", strings.Join(f.ids, ", "),
		"{tokens}", fmt.Sprint(f.tokens), "{window}", fmt.Sprint(f.window),
	).Replace(text)
}

// A request is a view as one provider would be sent it.
type request struct {
	*provider
	view   *model.View
	window int64
	// made says that the request was made; the one after the record was not yet.
	made  bool
	steps []step
	place map[int]int // message of the thread -> its step
	// Links say of each step what it answers, answers of each call the results sent.
	links   []link
	answers map[link][]int
}

// A step is one message of a request.
type step struct {
	index int // message of the thread, or -1
	at    int // place in the request's list; -1 for the system prompt apart
	role  model.Role
	m     *model.Message // nil for one that a stage added, if it is no result
	calls []int          // those left, without those the provider ran
	empty bool
	note
}

// result reports whether the step is a recorded result of a call.
func (s *step) result() bool { return s.m != nil && s.role == model.Tool }

func (l *Linter) request(v *model.View, p *provider) (*request, error) {
	r := &request{provider: p, view: v, window: l.window, made: v.Call <= len(l.thread.Calls), place: map[int]int{}}
	next := 0
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate == model.WasDropped {
			continue
		}
		s := step{index: int(e.Index), at: next, role: e.Role}
		if e.Index >= 0 {
			s.m = l.thread.At(int(e.Index))
			if err := l.look(&s, e, p); err != nil {
				return nil, err
			}
			r.place[s.index] = len(r.steps)
		} else {
			s.empty = flat(e.Text) == ""
			if a := e.Answers; a != nil {
				s.m = &model.Message{Role: model.Tool, CallID: a.CallID, ToolName: a.ToolName, Group: a.Message}
			}
		}
		switch {
		case p.systemApart && e.Role == model.System:
			s.at = -1
		case p.items:
			next += max(len(s.calls), 1)
			if len(s.calls) > 0 && !s.blank {
				next++
			}
		case p.systemApart && s.result() && len(r.steps) > 0 && r.steps[len(r.steps)-1].result():
			s.at = r.steps[len(r.steps)-1].at
		default:
			next++
		}
		r.steps = append(r.steps, s)
	}
	r.pair()
	return r, nil
}

// look reads what the rules ask of a message.
func (l *Linter) look(s *step, e *model.Entry, p *provider) error {
	n := &l.notes[s.index]
	if !n.read {
		text, err := l.run.Text(s.m)
		if err != nil {
			return fmt.Errorf("message %d: %w", s.index, err)
		}
		n.blank = strings.TrimSpace(text) == ""
		if n.emptyCalls, err = l.emptyCalls(s.m); err != nil {
			return fmt.Errorf("message %d: %w", s.index, err)
		}
		n.read = true
	}
	s.note = *n
	if e.Fate != model.Kept {
		s.emptyCalls = false
	}
	if e.Text != nil && !slices.ContainsFunc(e.Text, func(p model.Piece) bool { return p.Insert == "" && p.Start < p.End }) {
		s.blank = strings.TrimSpace(flat(e.Text)) == ""
	}
	for j := range s.m.Calls {
		if !s.m.Calls[j].Server && (e.Calls == nil || slices.Contains(e.Calls, j)) {
			s.calls = append(s.calls, j)
		}
	}
	s.empty = s.blank && len(s.calls) == 0 && !l.more(s.m, e, p)
	return nil
}

// more reports whether a message has anything beside text and calls that a request
// in the provider's form carries: what only its own provider knows stays in
// records of its own form.
func (l *Linter) more(m *model.Message, e *model.Entry, p *provider) bool {
	own := l.run.Format == p.format
	for i := range m.Parts {
		switch m.Parts[i].Kind {
		case model.Image, model.File:
			return true
		case model.Thinking:
			if own && !e.NoThinking {
				return true
			}
		case model.Opaque:
			if own {
				return true
			}
		}
	}
	return own && len(m.Calls) > 0 && m.Calls[0].Server
}

// flat joins the inserted strings of a text.
func flat(pieces []model.Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Insert)
	}
	return b.String()
}
