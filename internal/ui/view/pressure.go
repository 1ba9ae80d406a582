package view

import (
	"fmt"
	"math"

	"agentlens/internal/curate/task"
	"agentlens/internal/ui/kit"
)

// adviceWords describe the recommendations of the task-history specification. Any other recommendation is
// recorded text, which only the facts show.
var adviceWords = map[string]kit.Tag{
	"consider_summarizing": {Text: "consider summarizing", St: kit.Changed},
	"urgent":               {Text: "urgent: summarize", St: kit.Failure},
}

// PressureTag returns the advice on a context of used tokens: "72% consider summarizing". It is empty while
// there is enough space.
func PressureTag(used, window int64) kit.Tag {
	p := task.PressureOf(used, window)
	tag := adviceWords[p.Recommendation]
	if tag.Text != "" {
		tag.Text = kit.Int(int(math.Round(min(100*float64(used)/float64(window), 999)))) + "% " + tag.Text
	}
	return tag
}

// RecordedPressureTag returns the last answer that the model got before the call of a view: "recorded pressure
// 72%". It is empty if the model did not ask.
func RecordedPressureTag(s *Aligned) kit.Tag {
	p, ok := task.RecordedPressure(s.Thread, s.Call)
	if !ok {
		return kit.Tag{}
	}
	tag := kit.Tag{Text: recordedPressure + kit.Int(int(math.Round(100*p.Utilization))) + "%", St: kit.Dim}
	if advice, ok := adviceWords[p.Recommendation]; ok {
		tag.Text, tag.St = tag.Text+" "+advice.Text, advice.St
	}
	return tag
}

// PressureWords describes how full the context window is: by the rule, and as recorded. It returns "" if
// neither is known.
func PressureWords(s *Aligned) string {
	says := ""
	if w := s.Window.Tokens; w > 0 && s.View.Context.Tokens > 0 {
		p := task.PressureOf(s.View.Context.Tokens, w)
		says = fmt.Sprintf(shareOfTokens, min(100*float64(p.Used)/float64(p.Max), 999), kit.ShortFigure(w), adviceOf(p.Recommendation))
	}
	if p, ok := task.RecordedPressure(s.Thread, s.Call); ok {
		if says != "" {
			says += "; "
		}
		says += fmt.Sprintf(recordedShare, p.Used, p.Max, 100*p.Utilization, adviceOf(p.Recommendation))
	}
	return says
}

// adviceOf returns the words of a recommendation. A recorded one may be unknown.
func adviceOf(recommendation string) string {
	if tag, ok := adviceWords[recommendation]; ok {
		return string(tag.Text)
	}
	return recommendation
}
