// Package task is the task history of the task-history specification: a
// conversation by the steps of a plan, each shown whole or by its summary.
//
// It renders a history to the letter as the specification does, summarises a
// step without a model, and reads the histories that a run holds. It must never
// change a record: levels say how much of a step is shown, nothing is taken out.
package task

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Task is a history by the steps of a plan.
type Task struct {
	Objective string
	Active    *int64 // id of the step that receives turns; nil for none
	Steps     []Step
}

// A Step is what was said while one step of the plan was worked on.
type Step struct {
	ID      int64
	Title   string
	Turns   []Turn
	Summary string // "" where there is none
	Level   Level
}

// A Turn is one message of a step.
type Turn struct {
	ID      int64
	Role    string // user, assistant, tool
	Content string
	Tool    string // of a tool's turn, its name; "" where it is not recorded
}

// Level is how much of a step is shown. The specification has Full and Summary;
// the others are its section on multi-level summaries.
type Level string

// The levels, from the most to the least.
const (
	Full      Level = "full"
	Condensed Level = "condensed" // the key turns: see [Step.Key]
	Summary   Level = "summary"
	Title     Level = "title"
)

// Levels lists the levels, from the most to the least.
func Levels() []Level { return []Level{Full, Condensed, Summary, Title} }

// Hint is what a rendered summary ends with: how the model gets the step back.
const Hint = "[Call `expand_step` with this step_id for full history]"

// maxSummary bounds a summary, in characters (summarize_step of the specification).
const maxSummary = 1000

// Render writes a turn as Turn.render of the specification.
func (t Turn) Render() string {
	who := t.Role
	if t.Tool != "" {
		who = "tool:" + t.Tool
	}
	return "[" + who + "] " + t.Content
}

// Render writes a step as StepHistory.render of the specification. A summary
// level without a summary shows the turns, as there.
func (s Step) Render() string {
	lines := []string{fmt.Sprintf("Step %d: %s", s.ID, s.Title)}
	switch {
	case s.Level == Title:
	case s.Level == Summary && s.Summary != "":
		lines = append(lines, "[Summary] "+s.Summary, Hint)
	default:
		for _, t := range s.shown() {
			lines = append(lines, "  "+t.Render())
		}
	}
	return strings.Join(lines, "\n")
}

// shown are the turns that a step shows.
func (s Step) shown() []Turn {
	if s.Level == Condensed {
		return s.Key(keyTurns)
	}
	return s.Turns
}

// Render writes a task as TaskHistory.render of the specification.
func (t *Task) Render() string {
	lines := []string{"Task: " + t.Objective, ""}
	if len(t.Steps) == 0 {
		lines = append(lines, "<no history recorded>")
	}
	for _, s := range t.Steps {
		lines = append(lines, s.Render(), "")
	}
	return strings.Join(lines, "\n")
}

// RenderSection writes a task as TaskHistorySection.render of the specification,
// the section being number at a depth, both as a prompt counts them: "2" and 0.
// The heading of a section is that of prompts: two marks and one for each depth,
// number, title, and the key in brackets.
func (t *Task) RenderSection(number string, depth int) string {
	lines := []string{
		fmt.Sprintf("%s %s. Task History (task-history)", strings.Repeat("#", depth+2), number),
		"**Objective**: " + t.Objective, "",
	}
	for i, s := range t.Steps {
		lines = append(lines, t.renderStep(s, depth+1, fmt.Sprintf("%s.%d", number, i+1)))
	}
	return strings.Join(lines, "\n")
}

func (t *Task) renderStep(s Step, depth int, number string) string {
	heading := fmt.Sprintf("%s %s. %s ", strings.Repeat("#", depth+2), number, s.Title)
	if t.Active != nil && *t.Active == s.ID {
		heading += "[active]"
	}
	heading = strings.TrimSpace(heading)
	switch s.Level {
	case Title:
		return heading
	case Summary:
		summary := s.Summary
		if summary == "" {
			summary = "None" // what Python writes where there is none
		}
		return fmt.Sprintf("%s\n\n%s\n\n_Call `expand_step(%d)` for full conversation._", heading, summary, s.ID)
	}
	lines := []string{heading, ""}
	for _, turn := range s.shown() {
		lines = append(lines, turn.inSection())
	}
	return strings.Join(lines, "\n")
}

// inSection writes a turn as a section does. A tool without a name is "None", as
// Python writes it.
func (t Turn) inSection() string {
	if t.Role != "tool" {
		first, rest := "", t.Role
		if _, n := utf8.DecodeRuneInString(t.Role); n > 0 {
			first, rest = strings.ToUpper(t.Role[:n]), t.Role[n:]
		}
		return "**" + first + rest + "**: " + t.Content
	}
	tool := t.Tool
	if tool == "" {
		tool = "None"
	}
	return "**[" + tool + "]**: " + t.Content
}

// keyTurns is how many turns a condensed step shows (extractive_summary of the
// specification).
const keyTurns = 3

// Key picks the key turns of a step without a model: the first, those of tools,
// and the last, in order, each id once, no more than most. The last is never
// lost, as the specification describes it; its code cuts it off behind many
// tool turns.
func (s Step) Key(most int) []Turn {
	if len(s.Turns) <= most {
		return s.Turns
	}
	if most < 1 {
		return nil
	}
	last := s.Turns[len(s.Turns)-1]
	key := []Turn{}
	for i, t := range s.Turns[:len(s.Turns)-1] {
		known := slices.ContainsFunc(key, func(k Turn) bool { return k.ID == t.ID }) || t.ID == last.ID
		if (i == 0 || t.Role == "tool") && !known && len(key) < most-1 {
			key = append(key, t)
		}
	}
	return append(key, last)
}

// Extractive is a summary of a step without a model: its key turns, rendered.
func (s Step) Extractive(most int) string {
	var lines []string
	for _, t := range s.Key(most) {
		lines = append(lines, t.Render())
	}
	return strings.Join(lines, "\n")
}

// find is the place of a step; the error names those there are.
func (t *Task) find(id int64) (int, error) {
	var ids []string
	for i := range t.Steps {
		if t.Steps[i].ID == id {
			return i, nil
		}
		ids = append(ids, fmt.Sprint(t.Steps[i].ID))
	}
	return 0, fmt.Errorf("there is no step %d; there is %s", id, strings.Join(ids[:min(len(ids), 20)], ", "))
}

// Collapse shows a step by a summary, as the tool summarize_step does: of 1 to
// 1,000 characters, spaces around it cut off.
func (t *Task) Collapse(id int64, summary string) error {
	i, err := t.find(id)
	summary = strings.TrimSpace(summary)
	switch {
	case err != nil:
		return err
	case summary == "":
		return fmt.Errorf("the summary of step %d must not be empty", id)
	case utf8.RuneCountInString(summary) > maxSummary:
		return fmt.Errorf("the summary of step %d has %d characters, more than %d", id, utf8.RuneCountInString(summary), maxSummary)
	}
	t.Steps[i].Summary, t.Steps[i].Level = summary, Summary
	return nil
}

// Expand shows a step whole, as the tool expand_step does; its summary stays.
func (t *Task) Expand(id int64) error {
	i, err := t.find(id)
	if err == nil {
		t.Steps[i].Level = Full
	}
	return err
}

// A Pressure is how full a context is (context_pressure of the specification).
type Pressure struct {
	Used, Max      int64   // tokens
	Utilization    float64 // used / max, at most 1
	Recommendation string  // ok, consider_summarizing, urgent
}

// PressureOf is the pressure of used tokens in a window of max. The
// specification names the recommendations; below 0.6 it is ok, from 0.8 urgent.
func PressureOf(used, most int64) Pressure {
	p := Pressure{Used: used, Max: most, Recommendation: "ok"}
	if most <= 0 {
		return p
	}
	share := float64(used) / float64(most)
	p.Utilization = min(share, 1)
	switch {
	case share >= 0.8:
		p.Recommendation = "urgent"
	case share >= 0.6:
		p.Recommendation = "consider_summarizing"
	}
	return p
}
