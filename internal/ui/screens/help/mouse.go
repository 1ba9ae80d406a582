package help

// Mouse returns the help of the mouse.
func Mouse() Group {
	return Group{Name: "the mouse", Rows: []Row{
		{"click", "select; fold at an arrow, open a tab or a choice, go to a call of the tree or the timeline"},
		{"double click", "open a message; to where a call was sent; to a change of a diff; a run of the list"},
		{"at the bottom", "a click on a hint does what it says: of two keys, the one under the mouse"},
		{"on a border", "a click gives the pane the focus, a double click shows it alone"},
		{"in the header", "◀ and ▶ go to the call before and the next; names of columns sort the list of runs"},
		{"drag", "along the timeline, from call to call"},
		{"wheel", "scroll; on the timeline: from call to call; on the stages: from stage to stage"},
	}}
}
