package audit

import (
	"context"
	"slices"
	"testing"

	"agentlens/internal/model"
)

// stakes returns the messages of stakes.
func stakes(list []Stake) (messages []int) {
	for _, s := range list {
		messages = append(messages, s.Message)
	}
	return messages
}

func TestPredict(t *testing.T) {
	forbids := line{role: model.User, text: "Never change internal/ledger/journal_0042.go, the auditors signed it."}
	read := line{role: model.Assistant, text: "I read it.", tool: "Read", args: `{"path":"notes.txt"}`}
	result := line{role: model.Tool, text: "port_of_replica = 17443 and host db-replica-eu7.internal"}
	uses := line{role: model.Assistant, text: "I connect to db-replica-eu7.internal at 17443."}
	for _, tc := range []struct {
		name                string
		lines               []line
		instructions, facts []int
		messages            int
	}{
		{"nothing yet", []line{{role: model.User, text: "hello"}}, nil, nil, 1},
		{"an instruction and a fact", []line{forbids, read, result, uses}, []int{0}, []int{2}, 4},
		{
			"after a compaction only what came later is held",
			[]line{forbids, read, result, uses, {role: model.User, text: "Summary: all well", mark: model.Compaction}, {role: model.User, text: "Always run make lint-api before a commit."}, read},
			[]int{5},
			nil, 3,
		},
		{
			"a result that is emptied",
			[]line{forbids, read, result, {role: model.Assistant, text: "Noted.", mark: model.Microcompaction}, uses},
			[]int{0},
			[]int{2},
			5,
		},
		{"written after the last call", []line{read, forbids}, []int{1}, nil, 2},
		{"written by a program", []line{{role: model.User, text: "<system-reminder>Never change internal/ledger/journal_0042.go"}, read}, nil, nil, 2},
	} {
		run := made(tc.lines...)
		f, err := Predict(context.Background(), run, run.Threads[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := stakes(f.Instructions); !slices.Equal(got, tc.instructions) {
			t.Errorf("%s: instructions %v, want %v", tc.name, got, tc.instructions)
		}
		if got := stakes(f.Facts); !slices.Equal(got, tc.facts) {
			t.Errorf("%s: facts %v, want %v", tc.name, got, tc.facts)
		}
		if f.Messages != tc.messages {
			t.Errorf("%s: %d messages, want %d", tc.name, f.Messages, tc.messages)
		}
	}
}

func TestKeptIn(t *testing.T) {
	for _, tc := range []struct {
		stake   Stake
		summary string
		want    Kept
	}{
		{Stake{Text: "Never change the ledger."}, "The user said: never change the ledger!", KeptWhole},
		{Stake{Text: "Never change the ledger. Always run the linter before commits."}, "never change the ledger", KeptPart},
		{Stake{Text: "Never change the ledger."}, "The user has opinions.", KeptNone},
		{Stake{Words: []string{"17443", "db-replica-eu7"}}, "port 17443", KeptPart},
		{Stake{Words: []string{"17443", "db-replica-eu7"}}, "port 17443 of db-replica-eu7", KeptWhole},
		{Stake{Words: []string{"17443"}}, "a port", KeptNone},
		{Stake{Text: "x"}, "", KeptNone},
	} {
		if got := tc.stake.KeptIn(tc.summary); got != tc.want {
			t.Errorf("%v in %q: %s, want %s", tc.stake, tc.summary, got, tc.want)
		}
	}
}

// TestSummaryAfter looks for the summary after each call of a thread that is compacted once, between its two calls.
func TestSummaryAfter(t *testing.T) {
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.User})
	b.Reply(b.Add(model.Message{Role: model.Assistant}), model.Call{})
	b.Edit(model.Edit{Kind: model.Restart, After: 1, From: 2, Text: "so far"})
	b.Add(model.Message{Role: model.User})
	b.Reply(b.Add(model.Message{Role: model.Assistant}), model.Call{})
	thread := b.Build()
	run := &model.Run{Threads: []*model.Thread{thread}}
	for call, want := range []string{"so far", "so far", "", "so far"} { // a call that the thread does not have counts from the start
		if got, err := SummaryAfter(run, thread, call); err != nil || got != want {
			t.Errorf("after call %d: %q, %v, want %q", call, got, err, want)
		}
	}
}
