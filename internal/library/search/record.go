package search

import (
	"context"
	"sync"

	"agentlens/internal/curate/money"
	"agentlens/internal/library/ledger"
	"agentlens/internal/library/places"
	"agentlens/internal/model"
	"agentlens/internal/trace"
)

// A record is a run as a search reads it: loaded, or by the places of its texts.
type record struct {
	*model.Run // its threads are in threads
	threads    []thread
	cost       func() money.Sum
}

// A thread is a thread of a record. A message is valid until the next one is read.
type thread interface {
	Name() string
	Len() int
	At(i int) *model.Message
	CallOf(i int) int
	Failed() []int32
}

// loaded is a thread in memory.
type loaded struct{ *model.Thread }

func (t loaded) Name() string { return t.ID }

func (t loaded) Failed() []int32 {
	messages, _ := t.Thread.Failed()
	return messages
}

// recordOf returns the record of a run in memory.
func (s *searcher) recordOf(run *model.Run) record {
	r := record{Run: run, cost: sync.OnceValue(func() money.Sum { return ledger.CostOf(run, s.query.Prices.Prices) })}
	for _, t := range run.Threads {
		r.threads = append(r.threads, loaded{t})
	}
	return r
}

// placed searches a file by the places of its texts. ok is false if they are not kept or not sound.
func (s *searcher) placed(ctx context.Context, f trace.Found, found spots) (hits []Hit, ok bool) {
	if f.Dir || !s.query.Places.Keeps(f.Size) {
		return nil, false
	}
	src := s.query.Places.Load(f.Path, s.relatedTo(f.Path), s.memo)
	if src == nil {
		return nil, false
	}
	defer src.Close()
	found, err := s.whole(ctx, f, found)
	if err != nil {
		return nil, false
	}
	for _, run := range src.Runs {
		r := record{Run: &run.Run, cost: func() money.Sum { return run.Cost }}
		for _, t := range run.Threads {
			r.threads = append(r.threads, t)
		}
		hits = append(hits, s.run(r, found)...)
	}
	return hits, src.Sound() && ctx.Err() == nil
}

// recorder returns the record of the places of a file that is loaded, or nil if they are not kept.
func (s *searcher) recorder(f trace.Found) *places.Record {
	if f.Dir || !s.query.Places.Keeps(f.Size) {
		return nil
	}
	return places.NewRecord(f.Path, func(text string) bool { return len(s.gate.Why(text)) == 0 })
}
