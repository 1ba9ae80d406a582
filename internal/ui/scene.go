package ui

import (
	"fmt"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// scene is a run made ready for the screen: its names through the gate. It is
// built in a command and only read afterwards.
type scene struct {
	run               *model.Run
	id, title, status safe.Safe
	threads           []threadLabel
	order             []ordered // the threads as a tree
	docs              []safe.Safe
	markers           [][]safe.Safe // a label for each marker of each thread
	models            map[string]safe.Safe
	counts            model.Counts
}

type threadLabel struct{ kind, name safe.Safe }

// ordered is a thread in the order of the tree.
type ordered struct{ thread, depth int }

func newScene(run *model.Run, gate *safe.Gate) *scene {
	s := &scene{
		run: run, counts: run.Counts(), models: map[string]safe.Safe{},
		id: gate.Line(shortID(run.ID)), title: gate.Title(run.Title), status: gate.Line(string(run.Status)),
	}
	for _, t := range run.Threads {
		s.threads = append(s.threads, threadLabel{gate.Line(string(t.Kind)), gate.Title(threadName(t))})
		labels := make([]safe.Safe, len(t.Markers))
		for i := range t.Markers {
			labels[i] = gate.Line(markerLabel(&t.Markers[i]))
		}
		s.markers = append(s.markers, labels)
		for i := range t.Calls {
			if m := t.Calls[i].Model; m != "" {
				if _, ok := s.models[m]; !ok {
					s.models[m] = gate.Line(m)
				}
			}
		}
	}
	for i := range run.Documents {
		d := &run.Documents[i]
		s.docs = append(s.docs, gate.Line(fmt.Sprintf("%s · %s · %s", d.Name, d.Kind, bytesOf(d.Bytes))))
	}
	s.order = treeOrder(run.Threads)
	return s
}

// threadName is what a person tells a thread by: a short id, and its title.
func threadName(t *model.Thread) string {
	id := shortID(t.ID)
	if t.Title != "" && t.Title != t.ID {
		return strings.TrimSpace(id + " " + t.Title)
	}
	return id
}

// shortID is the beginning of a hash or UUID, as git shortens them.
func shortID(id string) string {
	if len(id) < 16 || strings.Trim(id, "0123456789abcdefABCDEF-") != "" {
		return id
	}
	return head(id, 8)
}

// treeOrder puts every thread below its parent. Threads whose parents are not
// in the run, or that form a ring, stand at the top.
func treeOrder(threads []*model.Thread) []ordered {
	byID := map[string]int{}
	for i, t := range threads {
		if _, ok := byID[t.ID]; !ok {
			byID[t.ID] = i
		}
	}
	children := make([][]int, len(threads))
	var roots []int
	for i, t := range threads {
		if p, ok := byID[t.ParentID]; ok && t.ParentID != "" && p != i {
			children[p] = append(children[p], i)
		} else {
			roots = append(roots, i)
		}
	}
	var order []ordered
	seen := make([]bool, len(threads))
	var walk func(i, depth int)
	walk = func(i, depth int) {
		if seen[i] {
			return
		}
		seen[i] = true
		order = append(order, ordered{i, min(depth, 6)})
		for _, c := range children[i] {
			walk(c, depth+1)
		}
	}
	for _, i := range roots {
		walk(i, 0)
	}
	for i := range threads {
		walk(i, 0)
	}
	return order
}

// detailWords say the facts of markers that have a better wording than their key.
var detailWords = map[string]string{
	"trigger": "%s", "strategy": "%s", "model": "%s", "reason": "%s", "message": "%s", "title": "%s",
	"pre_tokens": "%s tokens before", "tokens_before": "%s tokens before",
	"post_tokens": "%s tokens after", "tokens_after": "%s tokens after",
	"tokens_saved": "%s tokens saved", "duration_ms": "%s ms", "cleared": "%s results cleared",
	"attempt": "attempt %s", "of": "of %s", "what": "%s",
}

// markerLabel is a marker on one line: "compaction · auto · 176.7k tokens before".
func markerLabel(m *model.Marker) string {
	var b strings.Builder
	b.WriteString(string(m.Kind))
	for _, d := range m.Detail {
		value := ""
		switch v := d.Value.(type) {
		case string:
			value = v
		case int64:
			value = string(figure(v))
		case float64:
			value = fmt.Sprintf("%.4g", v)
		case bool:
			value = fmt.Sprint(v)
		case []string:
			value = strings.Join(v, ", ")
		}
		if value == "" {
			continue
		}
		b.WriteString(" · ")
		if f, ok := detailWords[d.Key]; ok {
			fmt.Fprintf(&b, f, value)
		} else {
			b.WriteString(strings.ReplaceAll(d.Key, "_", " ") + " " + value)
		}
	}
	return b.String()
}
