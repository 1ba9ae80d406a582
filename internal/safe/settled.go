package safe

import (
	"strings"

	"agentlens/internal/redact"
)

// Of a text with settledWhole bytes or more that are not masked, only those around masks are searched again, up to
// settledNear bytes and the end of the line: no rule for a value looks farther.
const (
	settledWhole = 4 << 10
	settledNear  = 640
)

// isSettled reports whether masking the spans of a text leaves no secret around them: a rule may find one where a mask
// ends what it read before. again searches a part between masks.
func isSettled(text string, spans []redact.Span, again func(part string) (found bool)) bool {
	rest := len(text)
	for _, s := range spans {
		rest -= s.End - s.Start
	}
	from := 0
	for i := range len(spans) + 1 {
		to := len(text)
		if i < len(spans) {
			to = spans[i].Start
		}
		part := text[from:to]
		head, tail := len(part), len(part)
		if rest >= settledWhole {
			head, tail = around(part, i > 0, i < len(spans))
		}
		if head > 0 && again(part[:head]) || tail < len(part) && again(part[tail:]) {
			return false
		}
		if i < len(spans) {
			from = spans[i].End
		}
	}
	return true
}

// around returns the end of the first bytes of a part and the start of the last ones that are near the mask before and the
// mask after it, if there are such masks. If both overlap, the first bytes are all.
func around(part string, before, after bool) (head, tail int) {
	if before {
		head = lineEnd(part, settledNear)
	}
	tail = len(part)
	if after {
		tail = strings.LastIndexByte(part[:max(len(part)-settledNear, 0)], '\n') + 1
	}
	if before && tail <= head {
		return len(part), len(part)
	}
	return head, tail
}

// lineEnd returns the end of the line of s that holds offset i, or the length of s.
func lineEnd(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}
