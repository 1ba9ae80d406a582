// Package evidence finds the earlier content on which the recorded replies of a thread are
// based, and how much of it a view has lost. It uses no model, so it misses a reply that
// paraphrases its source.
//
// The package must never report evidence that the record does not show.
package evidence

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"

	"agentlens/internal/model"
)

// Evidence is the earlier content on which the recorded replies of a thread are based:
//
//   - Cited: a reply contains a distinctive word (a path, an identifier, a number: see
//     eachWord) of an earlier message. The newest such message is the source. A word in
//     the leading system message, or in more than 64 messages, proves nothing.
//   - Instructions: every message that a person wrote. Injected messages and summaries
//     do not count.
//   - Repeats: a reply repeats an earlier call with the same tool and arguments, so it
//     needed the earlier result.
type Evidence struct {
	thread  *model.Thread
	seed    maphash.Seed
	words   map[uint64]int32 // id of each word of a reply
	holders [][]int32        // per word, the messages that contain it, ascending; nil for words that prove nothing
	calls   []needs          // per call
	users   []int32          // messages that a person wrote
}

// needs is the earlier content on which the reply of a call is based.
type needs struct {
	cited   []cited
	repeats []int32 // earlier results
}

// cited is a cited message with its words that a reply uses.
type cited struct {
	message int32
	words   []int32
}

const (
	maxWords   = 64 // of a reply
	maxHolders = 64 // messages with a word
)

// Find returns the evidence of a thread. It reads every text once, and the texts of replies
// twice.
func Find(ctx context.Context, run *model.Run, t *model.Thread) (*Evidence, error) {
	e := &Evidence{thread: t, seed: maphash.MakeSeed(), words: map[uint64]int32{}, calls: make([]needs, len(t.Calls))}
	used := make([][]int32, len(t.Calls))
	for c := range t.Calls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i, ok := t.Calls[c].Reply.Get(); ok {
			err := e.read(run, i, func(word uint64) { used[c] = e.add(used[c], word) })
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

// read yields the hashed words of a message.
func (e *Evidence) read(run *model.Run, i int, yield func(word uint64)) error {
	return EachWord(run, e.thread, i, func(word string) { yield(maphash.String(e.seed, word)) })
}

// EachWord yields the distinctive words of a message: those of its text and of the arguments
// of its calls.
func EachWord(run *model.Run, t *model.Thread, i int, yield func(word string)) error {
	m := t.At(i)
	text, err := run.Text(m)
	if err != nil {
		return fmt.Errorf("words of message %d: %w", i, err)
	}
	eachWord(text, false, yield)
	for j := range m.Calls {
		args, err := run.Body(m.Calls[j].Args)
		if err != nil {
			return fmt.Errorf("words of message %d: %w", i, err)
		}
		eachWord(args, true, yield)
	}
	return nil
}

// add assigns an id to a word of a reply.
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

// forget removes the words that prove nothing.
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
			if int(h) < call.Reply.Or(0) && given(call, h) {
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

// given reports whether message i was given to a call.
func given(c *model.Call, i int32) bool {
	if c.GivenList != nil {
		return slices.Contains(c.GivenList, i)
	}
	return int(i) < c.Given
}

// findRepeats finds calls that repeat an earlier one.
func (e *Evidence) findRepeats(run *model.Run) error {
	results := map[uint64]int32{} // newest result, by tool and arguments
	for c := range e.thread.Calls {
		call := &e.thread.Calls[c]
		reply, ok := call.Reply.Get()
		if !ok {
			continue
		}
		m := e.thread.At(reply)
		for j := range m.Calls {
			args, err := run.Body(m.Calls[j].Args)
			if err != nil {
				return fmt.Errorf("calls of message %d: %w", reply, err)
			}
			same := maphash.String(e.seed, m.Calls[j].Name+"\x00"+args)
			if before, ok := results[same]; ok && given(call, before) {
				e.calls[c].repeats = append(e.calls[c].repeats, before)
			}
			if r, ok := m.Calls[j].Result.Get(); ok {
				results[same] = int32(r)
			}
		}
	}
	return nil
}

// eachOf yields the words of a text that are part of the evidence. It reads JSON text both
// raw and unescaped.
func (e *Evidence) eachOf(text string, yield func(word int32)) {
	known := func(word string) {
		if id, ok := e.words[maphash.String(e.seed, word)]; ok {
			yield(id)
		}
	}
	eachWord(text, false, known)
	eachWord(text, true, known)
}
