package main

import "testing"

func TestLiveMessages(t *testing.T) {
	lines := load(t)
	on := live(lines)
	type tally struct{ user, assistant, tool int }
	var main, agent, rewound tally
	seen := map[string]bool{}
	for _, l := range lines {
		n := &rewound
		switch {
		case on[l]:
			n = &main
		case l.IsSidechain:
			n = &agent
		}
		switch {
		case l.Type == "assistant" && !seen[l.Message.ID]:
			seen[l.Message.ID] = true
			n.assistant++
		case l.Type == "user" && len(l.results()) > 0:
			n.tool += len(l.results())
		case l.Type == "user":
			n.user++
		}
	}
	if want := (tally{14, 52, 61}); main != want {
		t.Errorf("main conversation: %+v, want %+v", main, want)
	}
	if want := (tally{1, 4, 4}); agent != want {
		t.Errorf("sub-agent: %+v, want %+v", agent, want)
	}
	if want := (tally{1, 1, 0}); rewound != want {
		t.Errorf("rewound branch: %+v, want %+v", rewound, want)
	}
}

func TestChain(t *testing.T) {
	lines := load(t)
	known := map[string]*line{}
	last := ""
	for i, l := range lines {
		if l.UUID == "" {
			continue
		}
		if known[l.UUID] != nil {
			t.Errorf("line %d repeats uuid %s", i+1, l.UUID)
		}
		parent := l.ParentUUID
		if parent == "" {
			parent = l.LogicalParentUUID
		}
		if parent != "" && known[parent] == nil {
			t.Errorf("line %d has a parent that does not precede it", i+1)
		}
		if p := known[parent]; p != nil && p.AgentID != l.AgentID {
			t.Errorf("line %d has a parent in another conversation", i+1)
		}
		if l.Timestamp < last {
			t.Errorf("line %d: %s is before %s", i+1, l.Timestamp, last)
		}
		known[l.UUID], last = l, l.Timestamp
	}
}

// TestCallsAreAnswered checks that every call has one result, below the record that made the call.
func TestCallsAreAnswered(t *testing.T) {
	asked := map[string]string{}
	answered := map[string]int{}
	failed, parallel := 0, map[string]int{}
	for _, l := range load(t) {
		for _, b := range l.blocks() {
			switch b.Type {
			case "tool_use":
				asked[b.ID] = l.UUID
				parallel[l.Message.ID]++
			case "tool_result":
				answered[b.ToolUseID]++
				if l.Source != asked[b.ToolUseID] || l.ParentUUID != l.Source {
					t.Errorf("the result of %s has another parent than its call", b.ToolUseID)
				}
				if b.IsError {
					failed++
				}
			}
		}
	}
	for id := range asked {
		if answered[id] != 1 {
			t.Errorf("call %s has %d results", id, answered[id])
		}
	}
	if failed != 7 {
		t.Errorf("%d failed calls, want 7", failed)
	}
	threes := 0
	for _, n := range parallel {
		if n == 3 {
			threes++
		}
	}
	if threes != 4 {
		t.Errorf("%d replies with three calls, want 4", threes)
	}
}

func TestThinking(t *testing.T) {
	open, sealed := 0, 0
	for _, l := range load(t) {
		for _, b := range l.blocks() {
			if b.Type != "thinking" {
				continue
			}
			if b.Signature == "" {
				t.Errorf("record %s: thinking without signature", l.UUID)
			}
			if b.Thinking == "" {
				sealed++
			} else {
				open++
			}
		}
	}
	if open < 8 || sealed < 5 {
		t.Errorf("%d open and %d sealed blocks of thinking, want at least 8 and 5", open, sealed)
	}
}

// The records of a reply agree on the tokens sent, and the last of them has the
// whole output. The prompt grows from reply to reply, except at the two compactions.
func TestUsage(t *testing.T) {
	lines := load(t)
	on := live(lines)
	sent, cut, request, output := 0, false, "", 0
	var prompt usage
	for i, l := range lines {
		if !on[l] {
			continue
		}
		switch l.Subtype {
		case "microcompact_boundary":
			if l.Micro.TokensSaved < 20_000 || len(l.Micro.CompactedToolIDs) < 8 || l.Micro.PreTokens < sent {
				t.Errorf("microcompaction: %+v after a request of %d tokens", l.Micro, sent)
			}
			cut = true
		case "compact_boundary":
			if l.Compact.PreTokens < sent || l.Compact.PostTokens >= sent/3 {
				t.Errorf("compaction: %+v after a request of %d tokens", l.Compact, sent)
			}
			cut = true
		}
		if l.Type != "assistant" {
			continue
		}
		u := l.Message.Usage
		out := u.Output
		u.Output = 0
		if l.RequestID == request {
			if u != prompt || out < output {
				t.Errorf("line %d: usage differs from the record before it of the same reply", i+1)
			}
			output = out
			continue
		}
		total := u.Input + u.CacheCreation + u.CacheRead
		if (total < sent) != cut && sent > 0 {
			t.Errorf("line %d: %d tokens sent after %d, cut %v", i+1, total, sent, cut)
		}
		if u.CacheCreation < 0 || u.Creation.FiveMinutes != u.CacheCreation {
			t.Errorf("line %d: cache creation %+v", i+1, u)
		}
		request, prompt, output, sent, cut = l.RequestID, u, out, total, false
	}
	if sent == 0 {
		t.Error("no usage found")
	}
}

// TestMicrocompactNamesResults checks that every cleared message was the result of a call before the compaction.
func TestMicrocompactNamesResults(t *testing.T) {
	results := map[string]bool{}
	for _, l := range load(t) {
		for _, b := range l.results() {
			results[b.ToolUseID] = true
		}
		for _, id := range l.Micro.CompactedToolIDs {
			if !results[id] {
				t.Errorf("%s has no result before the boundary", id)
			}
		}
	}
}
