// Package opening remembers short texts of a thread between replays.
//
// The package must never hold a text that is not whole.
package opening

import (
	"strings"
	"sync"

	"agentlens/internal/model"
)

const (
	longest = 256      // bytes of a text that is remembered
	most    = 16 << 20 // bytes of all of them
)

// A Memo holds the texts of messages, because several chains summarise the same ones. It is safe for concurrent use. A
// nil *Memo remembers nothing.
type Memo struct {
	mu    sync.Mutex
	texts map[int32]string
	bytes int
}

// Read returns at least the first bytes of the text of m, which is message i, and whether that is all of it.
func (b *Memo) Read(run *model.Run, m *model.Message, i, least int) (text string, all bool, err error) {
	if text, ok := b.of(i); ok {
		return text, true, nil
	}
	text, err = run.TextHead(m, least)
	if all = len(text) < least; all && err == nil {
		b.remember(i, text)
	}
	return text, all, err
}

// of returns the text of message i, if it is remembered.
func (b *Memo) of(i int) (text string, ok bool) {
	if b == nil {
		return "", false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	text, ok = b.texts[int32(i)]
	return text, ok
}

// remember remembers the whole text of message i, if it is short and there is room.
func (b *Memo) remember(i int, text string) {
	if b == nil || len(text) > longest {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bytes += longest / 4; b.bytes+len(text) > most { // an entry of the map, too
		return
	}
	if b.texts == nil {
		b.texts = map[int32]string{}
	}
	b.texts[int32(i)] = strings.Clone(text)
	b.bytes += len(text)
}
