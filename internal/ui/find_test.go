package ui

import "testing"

// A search that is ended reads no more texts, whichever part of it is under way.
func TestSearchEndsAsAWhole(t *testing.T) {
	d := open(t, 120, 36).Press("/").Type("Lisbon").Press("enter").Shows("1/4")
	first := d.r.seekFrom(0)
	next := searchMsg{gen: d.r.search.gen, next: 0}.arrive(d.r)
	if found := next().(searchMsg); len(found.hits) == 0 {
		t.Error("a part of a search that goes on finds nothing")
	}
	d.Press("esc")
	for name, part := range map[string]func() searchMsg{
		"the first part": func() searchMsg { return first().(searchMsg) },
		"a later part":   func() searchMsg { return next().(searchMsg) },
	} {
		if found := part(); len(found.hits) > 0 || found.next >= 0 {
			t.Errorf("%s found %v after the search had ended", name, found.hits)
		}
	}
}
