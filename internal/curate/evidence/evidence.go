// Package evidence finds what the recorded replies of a thread rested on, and what a
// view lost of it. It uses no model: a reply that rests on something in other words
// goes unseen.
package evidence

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"

	"agentlens/internal/model"
)

// Evidence is what the recorded replies of a thread show that they rested on:
//
//   - Cited: a distinctive word of a reply (a path, a name of code, a number: see
//     eachWord) that occurs in an earlier message was taken from there. The newest
//     such message is the source; a word in the leading system message, or in more
//     than 64 messages, shows nothing.
//   - Instructions: every message a person wrote. Injected messages and
//     summaries do not count.
//   - Repeats: a call of a reply that is the same, tool and arguments, as an
//     earlier one: its result was wanted again.
//
// It is what can be told from a record without a model. A reply that rests on
// something in other words goes unseen.
type Evidence struct {
	thread  *model.Thread
	seed    maphash.Seed
	words   map[uint64]int32 // id of each word of a reply
	holders [][]int32        // per word, the messages that hold it, ascending; nil for a word that shows nothing
	calls   []needs          // per call
	users   []int32          // messages a person wrote
}

// needs is what the reply of a call rested on.
type needs struct {
	cited   []cited
	repeats []int32 // earlier results
}

// A cited message, and the words a reply has of it.
type cited struct {
	message int32
	words   []int32
}

const (
	maxWords   = 64 // of a reply
	maxHolders = 64 // messages with a word
)

// Find reads the texts of a thread, those of replies twice.
func Find(ctx context.Context, run *model.Run, t *model.Thread) (*Evidence, error) {
	e := &Evidence{thread: t, seed: maphash.MakeSeed(), words: map[uint64]int32{}, calls: make([]needs, len(t.Calls))}
	used := make([][]int32, len(t.Calls))
	for c := range t.Calls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i := t.Calls[c].Reply; i >= 0 {
			err := e.read(run, int(i), func(word uint64) { used[c] = e.add(used[c], word) })
			if err != nil {
				return nil, err
			}
		}
	}
	e.holders = make([][]int32, len(e.words))
	for i := range t.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if m := t.At(i); m.Role == model.User && m.HasText() && !m.Badges.Has(model.Injected) && !m.Badges.Has(model.Summary) {
			e.users = append(e.users, int32(i))
		}
		if err := e.read(run, i, func(word uint64) { e.hold(word, int32(i)) }); err != nil {
			return nil, err
		}
	}
	e.forget()
	for c := range t.Calls {
		e.cite(c, used[c])
	}
	return e, e.findRepeats(run)
}

// read gives the words of a message: of its text and the arguments of its calls.
func (e *Evidence) read(run *model.Run, i int, yield func(word uint64)) error {
	m := e.thread.At(i)
	hashed := func(word string) { yield(maphash.String(e.seed, word)) }
	text, err := run.Text(m)
	if err != nil {
		return fmt.Errorf("words of message %d: %w", i, err)
	}
	eachWord(text, false, hashed)
	for j := range m.Calls {
		args, err := run.Body(m.Calls[j].Args)
		if err != nil {
			return fmt.Errorf("words of message %d: %w", i, err)
		}
		eachWord(args, true, hashed)
	}
	return nil
}

// add gives a word of a reply its id.
func (e *Evidence) add(used []int32, word uint64) []int32 {
	id, ok := e.words[word]
	if !ok {
		id = int32(len(e.words))
		e.words[word] = id
	}
	if len(used) < maxWords && !slices.Contains(used, id) {
		used = append(used, id)
	}
	return used
}

func (e *Evidence) hold(word uint64, i int32) {
	id, ok := e.words[word]
	if !ok {
		return
	}
	if h := e.holders[id]; len(h) <= maxHolders && (len(h) == 0 || h[len(h)-1] != i) {
		e.holders[id] = append(h, i)
	}
}

// forget drops the words that show nothing.
func (e *Evidence) forget() {
	head := 0
	for head < e.thread.Len() && e.thread.At(head).Role == model.System {
		head++
	}
	for id, h := range e.holders {
		if len(h) > maxHolders || len(h) > 0 && int(h[0]) < head {
			e.holders[id] = nil
		}
	}
}

// cite finds the sources of a reply's words.
func (e *Evidence) cite(c int, used []int32) {
	call := &e.thread.Calls[c]
	n := &e.calls[c]
	for _, id := range used {
		from := int32(-1)
		for _, h := range e.holders[id] {
			if h < call.Reply && given(call, h) {
				from = h
			}
		}
		if from < 0 {
			continue
		}
		at := slices.IndexFunc(n.cited, func(s cited) bool { return s.message == from })
		if at < 0 {
			at = len(n.cited)
			n.cited = append(n.cited, cited{message: from})
		}
		n.cited[at].words = append(n.cited[at].words, id)
	}
}

// given reports whether a call was given message i.
func given(c *model.Call, i int32) bool {
	if c.GivenList != nil {
		return slices.Contains(c.GivenList, i)
	}
	return int(i) < c.Given
}

// findRepeats finds the calls that were made before.
func (e *Evidence) findRepeats(run *model.Run) error {
	results := map[uint64]int32{} // newest result, by tool and arguments
	for c := range e.thread.Calls {
		call := &e.thread.Calls[c]
		if call.Reply < 0 {
			continue
		}
		m := e.thread.At(int(call.Reply))
		for j := range m.Calls {
			args, err := run.Body(m.Calls[j].Args)
			if err != nil {
				return fmt.Errorf("calls of message %d: %w", call.Reply, err)
			}
			same := maphash.String(e.seed, m.Calls[j].Name+"\x00"+args)
			if before, ok := results[same]; ok && given(call, before) {
				e.calls[c].repeats = append(e.calls[c].repeats, before)
			}
			if r := m.Calls[j].Result; r >= 0 {
				results[same] = r
			}
		}
	}
	return nil
}

// eachOf gives the words of the evidence that a text has. Text in JSON is read as
// it is and as it is escaped.
func (e *Evidence) eachOf(text string, yield func(word int32)) {
	known := func(word string) {
		if id, ok := e.words[maphash.String(e.seed, word)]; ok {
			yield(id)
		}
	}
	eachWord(text, false, known)
	eachWord(text, true, known)
}
