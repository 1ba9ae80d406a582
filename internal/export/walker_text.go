package export

import (
	"fmt"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// textAhead writes the text that was read ahead. It returns false if there is none.
func (r *walker) textAhead(role model.Role) bool {
	parts, release, ok := r.ahead.take()
	if !ok {
		return false
	}
	defer release()
	switch to, ok := r.renderer.(partRenderer); {
	case len(parts) == 1 && parts[0].String() == "":
	case ok && !r.leave.Results:
		to.textParts(role, parts)
	default:
		r.wholeText(role, safe.Whole(parts))
	}
	return true
}

// wholeText writes a text, or what it was if it is left out.
func (r *walker) wholeText(role model.Role, text safe.Safe) {
	if text.String() == "" {
		return
	}
	if r.leave.Results && role == model.Tool {
		text = r.g.Literal(fmt.Sprintf("[result left out: %d characters]", text.Characters()))
	}
	r.text(role, text)
}

// unreadable returns the replacement for a text that cannot be read.
func unreadable(err error) string { return "[" + err.Error() + "]" }

// messageText returns the text of a message in the view.
func (r *walker) messageText(m *model.Message, e *model.Entry) safe.Safe {
	if e != nil && e.Text() != nil {
		original := ""
		if m != nil {
			var err error
			if original, err = r.run.Text(m); err != nil {
				return r.g.Text(unreadable(err))
			}
		}
		return r.g.Pieces(original, e.Text())
	}
	if m == nil {
		return safe.Safe{}
	}
	var text safe.Safe
	if err := r.run.ReadText(m, func(original string) { text = r.g.CopyText(original) }); err != nil {
		return r.g.Text(unreadable(err))
	}
	return text
}
