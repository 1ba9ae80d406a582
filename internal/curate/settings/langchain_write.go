package settings

import (
	"fmt"
	"strconv"
	"strings"

	"agentlens/internal/curate"
)

// writeLangChain writes Python: trimmers and filters as calls, middlewares as
// they stand in a list of them.
func writeLangChain(w *writing) {
	system := true
	for _, c := range w.chain {
		switch c.Spec.Name {
		case "preserve":
			system = c.Param("system").Bool
			w.loseParams(c, "last")
		case "sliding_window":
			w.trim(c, int(c.Param("n").Number)+b2i(system), "len", c.Param("align").Word == "user", system, "")
			w.lose("sliding_window: trim_messages may cut calls and results apart")
		case "token_budget":
			if c.Param("max").Unit == curate.Percent {
				w.unknown(c)
				continue
			}
			partial := ""
			if c.Spec.Name == "token_budget" && c.Param("partial").Bool {
				partial = ", allow_partial=True"
			}
			w.trim(c, int(c.Param("max").Number), "model", c.Param("start_on").Word == "user", system, partial)
			w.lose("token_budget: trim_messages may cut calls and results apart")
		case "filter":
			w.line("filter_messages(messages%s)", python("include_types", c.Param("roles").List)+python("include_names", c.Param("names").List)+python("include_ids", c.Param("ids").List))
		case "clear_tool_uses":
			w.clear(c)
		case "compact":
			w.summarization(c)
		default:
			w.unknown(c)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *writing) trim(c curate.Call, most int, counter string, onUser, system bool, more string) {
	start := ""
	if onUser {
		start = `, start_on="human"`
	}
	keep := ""
	if system {
		keep = ", include_system=True"
	}
	w.line(`trim_messages(messages, max_tokens=%d, token_counter=%s, strategy="last"%s%s%s)`, most, counter, start, keep, more)
	if c.Param("align").Word == "back" {
		w.lose("align of sliding_window: there is nothing like align=back")
	}
}

func python(key string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return ", " + key + "=" + words(list)
}

func (w *writing) clear(c curate.Call) {
	if c.Param("trigger").Unit == curate.Percent {
		w.unknown(c)
		return
	}
	more := ""
	if n := c.Param("clear_at_least").Number; n > 0 {
		more += ", clear_at_least=" + amount(n)
	}
	if c.Param("inputs").Bool {
		more += ", clear_tool_inputs=True"
	}
	more += python("exclude_tools", c.Param("exclude").List)
	if _, set := c.Set("placeholder"); set {
		more += ", placeholder=" + strconv.Quote(c.Param("placeholder").Word)
	}
	w.line("ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=%s, keep=%s%s)])", amount(c.Param("trigger").Number), amount(c.Param("keep").Number), more)
	if !c.Param("sticky").Bool {
		w.lose("sticky of clear_tool_uses: the middleware keeps what it cleared")
	}
}

func (w *writing) summarization(c curate.Call) {
	trigger, keep := clause(c.Param("trigger"), 1), clause(c.Param("keep"), 0)
	if trigger == "" || keep == "" {
		w.unknown(c)
		return
	}
	w.line("SummarizationMiddleware(model=model, trigger=%s, keep=%s)", trigger, keep)
	w.loseParams(c, "summary")
	if role := c.Param("role").Word; role != "user" {
		w.lose("role of compact: the summary is a message of the user's")
	}
	if strings.Contains(keep, "fraction") {
		w.lose("keep of compact: a share of the window there, of the view here")
	}
}

// clause writes an amount as LangChain does; messages act at one more there.
func clause(v curate.Value, more float64) string {
	switch v.Unit {
	case curate.Msgs:
		return fmt.Sprintf(`("messages", %s)`, amount(v.Number+more))
	case curate.Tok:
		return fmt.Sprintf(`("tokens", %s)`, amount(v.Number))
	case curate.Percent:
		return fmt.Sprintf(`("fraction", %s)`, amount(v.Number/100))
	}
	return ""
}
