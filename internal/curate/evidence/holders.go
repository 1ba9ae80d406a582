package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"

	"agentlens/internal/model"
)

// holdersRules names the rules by which the messages that contain a word are found. It changes with them, because
// the holders are kept between two starts of the program.
const holdersRules = "holders 3"

// holderBlock is the number of messages that one goroutine reads at a time.
const holderBlock = 128

// A holding is a message that contains a word.
type holding struct {
	alias
	message int32
}

// findHolders finds the messages that contain each word. It reads them in all processors.
func (e *Evidence) findHolders(ctx context.Context, run *model.Run) error {
	kept, _ := run.Kept.(model.NumberStore)
	what := ""
	if kept != nil {
		what = holdersRules + " " + e.digest()
		if list, ok := kept.LoadNumbers(run, e.thread, what); ok && e.setHolders(list) {
			return nil
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type result struct {
		list []holding
		err  error
	}
	blocks := make(chan chan result, runtime.GOMAXPROCS(0)) // in the order of messages
	go func() {
		defer close(blocks)
		for from := 0; from < e.thread.Len(); from += holderBlock {
			done := make(chan result, 1)
			select {
			case blocks <- done:
			case <-ctx.Done():
				return
			}
			go func() {
				list, err := e.holdings(ctx, run, from, min(e.thread.Len(), from+holderBlock))
				done <- result{list, err}
			}()
		}
	}()
	for done := range blocks {
		r := <-done
		if r.err != nil {
			return r.err
		}
		for _, h := range r.list {
			e.words[h.word].hold(h.message, h.hint, &e.keep)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if kept != nil {
		kept.SaveNumbers(run, e.thread, what, e.holders())
	}
	return nil
}

// holdings returns the words of the evidence in messages [from, to), each once per message.
func (e *Evidence) holdings(ctx context.Context, run *model.Run, from, to int) (list []holding, err error) {
	seen := map[alias]int{}
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := read(run, e.thread, i)
		if err != nil {
			return nil, err
		}
		e.eachOf(text, func(a alias) {
			if seen[a] != i+1 {
				seen[a] = i + 1
				list = append(list, holding{a, int32(i)})
			}
		})
	}
	return list, nil
}

// digest returns a digest of all words.
func (e *Evidence) digest() string {
	h := sha256.New()
	for i := range e.words {
		w := &e.words[i]
		fmt.Fprintf(h, "%d %d %d %s%s", len(w.text), len(w.key), w.weight, w.text, w.key)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// holders returns the holders and hints of all words as numbers: of each list its length, then its messages.
func (e *Evidence) holders() (list []int32) {
	for i := range e.words {
		for _, of := range [...][]int32{e.words[i].holders, e.words[i].hints} {
			list = append(append(list, int32(len(of))), of...)
		}
	}
	return list
}

// setHolders sets the holders of all words to those that holders returned. It reports whether the numbers fit.
func (e *Evidence) setHolders(list []int32) bool {
	take := func() (of []int32, ok bool) {
		if len(list) == 0 || list[0] < 0 || int(list[0]) >= len(list) {
			return nil, false
		}
		n := int(list[0]) + 1
		of, list = list[1:n:n], list[n:]
		return of, true
	}
	holders := make([][2][]int32, len(e.words))
	for i := range holders {
		for j := range holders[i] {
			of, ok := take()
			if !ok {
				return false
			}
			holders[i][j] = of
		}
	}
	if len(list) > 0 {
		return false
	}
	for i, h := range holders {
		e.words[i].holders, e.words[i].hints = h[0], h[1]
	}
	return true
}
