package inspector

import "testing"

// A search that is ended takes no more hits, whichever part of it is under way.
func TestSearchEndsAsAWhole(t *testing.T) {
	d := open(t, 120, 36).Press("/").Type("Lisbon").Press("enter").Shows("1/4")
	part := d.r.seekFrom(0)
	d.queue = append(d.queue, d.r.seekFrom(0))
	d.send(nil).Shows("1/8") // a search that goes on finds
	d.Press("esc")
	d.queue = append(d.queue, part)
	d.send(nil).Lacks("found", " / Lisbon")
}
