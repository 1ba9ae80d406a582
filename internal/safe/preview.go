package safe

import (
	"unicode/utf8"

	"agentlens/internal/redact"
)

// previewMargin is how far after the end of a preview a secret may extend and still be
// recognised, in bytes.
const previewMargin = 2048

// Preview returns the first max characters of [Gate.Line], with "…" where more follows. It
// reads only the beginning of the text, so its cost does not depend on the size. A
// placeholder may be cut.
func (g *Gate) Preview(original string, max int) Safe {
	if max <= 0 {
		return Safe{}
	}
	head := original[:min(len(original), PreviewBytes(max)-1)]
	return g.cached(cacheID(kindPreview, max, head), func() outcome { return g.preview(head, max, len(original)) })
}

// PreviewOnce is [Gate.Preview] for one of many texts that are shown once. The gate does not keep the result.
// isClear reports that it found nothing, see [Gate.PreviewClear].
func (g *Gate) PreviewOnce(original string, max int) (text Safe, isClear bool) {
	if max <= 0 {
		return Safe{}, true
	}
	out := g.preview(original[:min(len(original), PreviewBytes(max)-1)], max, len(original))
	g.count(out.hits)
	return Safe{out.text}, out.clear
}

// PreviewAhead is [Gate.PreviewOnce] for a text in which it finds nothing. It learns nothing, so that texts can be looked at
// in any order. ok is false for a text with a secret.
func (g *Gate) PreviewAhead(original string, max int) (text Safe, ok bool) {
	if max <= 0 {
		return Safe{}, true
	}
	head := original[:min(len(original), PreviewBytes(max)-1)]
	end := runeEnd(head, 4*max)
	shown := visibleLine(head[:end])
	if g.redactor.Holds(head) || shown != head && g.redactor.Holds(shown) {
		return Safe{}, false
	}
	return Safe{firstRunes(shown, max, end < len(original))}, true
}

// PreviewClear is [Gate.PreviewOnce] for a text in which it found nothing before, by the same rules. It searches for
// known values only, which is several times as fast. ok is false if it may have one. A text with fewer than [PreviewBytes]
// and at least [ClearBytes] bytes may be the beginning of another.
func (g *Gate) PreviewClear(original string, max int) (text Safe, ok bool) {
	head := original[:min(len(original), PreviewBytes(max)-1)]
	end := runeEnd(head, 4*max)
	shown := visibleLine(head[:end])
	repeats := g.redactor.Repeats
	if len(head) >= ClearBytes(max) && len(original) < PreviewBytes(max) {
		repeats = g.redactor.MayRepeat
	}
	if repeats(head, end) || shown != head && g.redactor.Repeats(shown, len(shown)) {
		return Safe{}, false
	}
	return Safe{firstRunes(shown, max, end < len(original))}, true
}

// ClearBytes returns the number of bytes of a text that mostly suffice for [Gate.PreviewClear].
func ClearBytes(max int) int { return 4*max + utf8.UTFMax + redact.Ahead }

// Rules returns a name of the rules by which the gate finds secrets. It differs for rules that find something else.
func (g *Gate) Rules() string { return g.redactor.Rules() }

// PreviewBytes returns the number of bytes of a text that suffice for [Gate.Preview].
func PreviewBytes(max int) int { return 4*max + previewMargin + 1 }

// preview makes a preview of a text of size bytes that begins with head.
func (g *Gate) preview(head string, max, size int) outcome {
	var out outcome
	found := g.redactor.Find(head)
	spans, end := begun(found, runeEnd(head, 4*max))
	out.text = visibleLine(g.mask(head[:end], spans, &out))
	if out.text != head { // else it was searched as it is
		g.settle(&out)
	}
	out.text = firstRunes(out.text, max, end < size)
	out.clear = len(found)+len(out.hits) == 0
	return out
}

// begun returns the spans that begin before end, and the end of the last of them if that is later, so that no
// secret is cut.
func begun(spans []redact.Span, end int) ([]redact.Span, int) {
	for i, s := range spans {
		if s.Start >= end {
			return spans[:i], end
		}
		end = max(end, s.End)
	}
	return spans, end
}

// runeEnd returns the first end of a character of s at or after i.
func runeEnd(s string, i int) int {
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return min(i, len(s))
}

func firstRunes(s string, max int, more bool) string {
	n, last := 0, 0
	for i := range s {
		if n == max-1 {
			last = i
		}
		if n == max {
			return s[:last] + "…"
		}
		n++
	}
	switch {
	case more && n == max:
		return s[:last] + "…"
	case more:
		return s + "…"
	}
	return s
}
