package tokens

import (
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// A Tally is what was counted of a stream.
type Tally struct {
	Tokens, Bytes int64
	// Exact is false for an estimate, and where a stretch of more than maxHeld
	// bytes had no place to cut it, so that the count may be off by a token for
	// each cut.
	Exact bool
}

// Add adds what was counted of another stream.
func (t *Tally) Add(other Tally) {
	t.Tokens += other.Tokens
	t.Bytes += other.Bytes
	t.Exact = t.Exact && other.Exact
}

const (
	chunk   = 1 << 20
	maxHeld = 16 << 20
)

// CountReader counts what r gives and holds a few megabytes of it at a time. The
// count is that of the whole as one text.
func CountReader(c Counter, r io.Reader) (Tally, error) { return countReader(c, r, chunk, maxHeld) }

// countReader holds up to chunk bytes, or up to limit where there is no seam.
func countReader(c Counter, r io.Reader, chunk, limit int) (Tally, error) {
	t := Tally{Exact: c.Exact()}
	held := make([]byte, 0, chunk)
	for {
		n, err := r.Read(held[len(held):cap(held)])
		held = held[:len(held)+n]
		t.Bytes += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			t.Tokens += int64(c.Count(string(held)))
			return t, nil
		case err != nil:
			return t, fmt.Errorf("read after %d bytes: %w", t.Bytes, err)
		case len(held) < cap(held):
			continue
		}
		cut := seam(held)
		if cut == 0 && len(held) < limit {
			held = append(make([]byte, 0, min(2*cap(held), limit)), held...)
			continue
		}
		if cut == 0 {
			cut, t.Exact = wholeRunes(held), false
		}
		t.Tokens += int64(c.Count(string(held[:cut])))
		held = held[:copy(held, held[cut:])]
	}
}

// seam finds the last place where a text may be cut in two whatever follows, so
// that the parts count what the whole does; 0 where there is none. It is one
// after a letter or digit and before a space, a line end, a mark or a digit that
// ends the word: no alternative of the patterns goes on beyond it, none looks
// back, and the estimate begins anew there too.
func seam(held []byte) int {
	for i := len(held); i > 0; {
		before, size := utf8.DecodeLastRune(held[:i])
		if i < len(held) && endsWord(before, held[i:]) {
			return i
		}
		i -= size
	}
	return 0
}

// endsWord reports whether a word or number that ends in before ends there for sure.
func endsWord(before rune, after []byte) bool {
	letter := unicode.IsLetter(before)
	if !letter && !unicode.IsDigit(before) {
		return false
	}
	next, size := utf8.DecodeRune(after)
	switch {
	case next == utf8.RuneError && size <= 1, next == '\'': // broken, or it's
		return false
	case next == ' ', next == '\t', next == '\n', next == '\r':
		return true
	}
	return letter && next >= '0' && next <= '9' || unicode.IsPunct(next) || unicode.IsSymbol(next)
}

// wholeRunes is the length of held without a character that its end cuts.
func wholeRunes(held []byte) int {
	for back := 1; back <= min(utf8.UTFMax, len(held)); back++ {
		if at := len(held) - back; utf8.RuneStart(held[at]) {
			if at > 0 && !utf8.FullRune(held[at:]) {
				return at
			}
			break
		}
	}
	return len(held)
}
