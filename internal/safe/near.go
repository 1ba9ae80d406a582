package safe

// Near is [Gate.Line] for the part of a text around the first place that find returns in the whole line, with up to
// around bytes before and after it. at and end are the offsets of the place in the part. ok is false if find finds
// nothing, which it says with a negative from. It masks the whole text, but searches only what it shows again.
func (g *Gate) Near(original string, find func(line string) (from, to int), around int) (part Safe, at, end int, ok bool) {
	var out outcome
	out.text = visibleLine(g.mask(original, g.redactor.Find(original), &out))
	from, to := find(out.text)
	if from < 0 {
		return Safe{}, 0, 0, false
	}
	if len(out.hits) > 0 || out.text != original {
		low, high := runeEnd(out.text, max(from-around-previewMargin, 0)), runeEnd(out.text, to+around+previewMargin)
		if len(g.redactor.Find(out.text[low:high])) > 0 {
			g.settle(&out)
			if from, to = find(out.text); from < 0 {
				return Safe{}, 0, 0, false
			}
		}
	}
	g.count(out.hits)
	part, at, end = Safe{out.text}.Cut(from-around, to+around, from, to)
	return part, at, end, true
}
