package ui

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/text"
)

// badges lists what is to be said of a message beside its words. Errors have a
// mark of their own.
func (m *messages) badges(it *item, s side, w want) []tag {
	var tags []tag
	e := m.shown.entry(it)
	if s == sent && e != nil {
		switch {
		case e.Fate == model.WasChanged:
			tags = append(tags, changedTag(e))
		case it.kind == addedItem && it.index >= 0:
			tags = append(tags, tag{"‹moved›", added})
		case e.Fate == model.Added:
			tags = append(tags, tag{"‹added›", added})
		}
	}
	if it.kind == promptItem {
		for _, b := range m.shown.thread.Calls[m.shown.call-1].Badges.List() {
			tags = append(tags, badgeTag(b))
		}
	}
	if w.message == nil {
		return tags
	}
	for _, b := range w.message.Badges.List() {
		if b != model.ErrorBadge {
			tags = append(tags, badgeTag(b))
		}
	}
	return tags
}

func changedTag(e *model.Entry) tag {
	d := int64(e.Tokens) - int64(e.WasTokens)
	switch {
	case d > 0:
		return tag{"‹changed +" + figure(d) + "›", changed}
	case d < 0:
		return tag{"‹changed " + figure(d) + "›", changed}
	}
	return tag{"‹changed›", changed}
}

// badgeRoom is how many cells of a row of room cells the badges get: the text
// keeps at least [minTextRoom].
func badgeRoom(tags []tag, room int) int {
	n := 0
	for _, t := range tags {
		w := text.Width(string(t.text)) + 1
		if n+w > room-minTextRoom {
			break
		}
		n += w
	}
	return n
}
