package ui

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/model"
)

// This file opens what is under the cursor, and the documents of the run.

// openSelected opens what is under the cursor: in the threads it selects.
func (r *root) openSelected() tea.Cmd {
	if r.focus != threadsPane {
		return r.openMessage()
	}
	if r.tree.cursor >= len(r.tree.nodes) {
		return nil
	}
	switch n := r.tree.nodes[r.tree.cursor]; n.kind {
	case threadNode, badgeNode:
		if n.thread == r.thread {
			r.tree.fold()
			return nil
		}
		return r.goThread(n.thread)
	case callNode, nextNode:
		if n.n == r.call {
			r.msgs.toHorizon()
			return nil
		}
		return r.goCall(n.n)
	case markerNode:
		r.goMarker(n.n)
	case documentsNode:
		r.tree.fold()
	case documentNode:
		return r.openDocument(n.n)
	}
	return nil
}

// goMarker puts the cursor of the messages on a marker.
func (r *root) goMarker(n int) {
	if r.msgs.shown == nil {
		return
	}
	for i := range r.msgs.shown.items {
		if it := &r.msgs.shown.items[i]; it.kind == markerItem && int(it.index) == n {
			r.msgs.goTo(i, r.msgs.rows)
			return
		}
	}
}

// wantAtCursor is what the focused side shows of the message under the cursor,
// else what the other does, and what to call it.
func (r *root) wantAtCursor() (w want, name words, ok bool) {
	it := r.msgs.at()
	if it == nil {
		return want{}, "", false
	}
	s := r.focusSide()
	if w, ok = r.msgs.shown.want(it, s == sent); !ok {
		if w, ok = r.msgs.shown.want(it, s != sent); !ok {
			return want{}, "", false
		}
	}
	name = words("prompt of call " + strconv.Itoa(r.call))
	if it.index >= 0 {
		name = words("message " + strconv.Itoa(int(it.index)))
	} else if it.kind == addedItem {
		name = "added message"
	}
	return w, name, true
}

// openDocument opens a document: JSON as a tree, anything else as text.
func (r *root) openDocument(n int) tea.Cmd {
	d := r.scene.run.Documents[n]
	rd := r.reader()
	name := r.scene.docs[n]
	again := func() tea.Cmd { return r.openDocument(n) }
	return r.opening("opening…", "", func(context.Context) (overlay, error) {
		body, err := rd.pieceTexts(append([]model.Ref{d.Body}, d.More...))
		if err != nil {
			p := newPager("", []block{rd.unreadable(err)})
			p.name = name
			return p, nil
		}
		if v := newTreeView("", rd.json(body), rd.whole); v != nil {
			v.name, v.again = name, again
			return v, nil
		}
		shown := rd.whole(body)
		p := pagerOf(&rd, "", []block{{kind: textBlock, text: shown, doc: rd.coloured(shown, documentLanguage(d.Name, shown))}})
		p.name, p.again = name, again
		return p, nil
	})
}

// chooseDocument offers the documents of the run.
func (r *root) chooseDocument() {
	var list []choice
	for i, name := range r.scene.docs {
		list = append(list, choice{safe: name, run: func() tea.Cmd { return r.openDocument(i) }})
	}
	r.push(newChooser("documents of this run", " document ", list))
}

func (r *root) noDocuments() words {
	if r.scene == nil || len(r.scene.docs) == 0 {
		return "this run has no documents"
	}
	return ""
}
