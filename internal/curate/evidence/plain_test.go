package evidence

import (
	"compress/gzip"
	"hash/maphash"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"agentlens/internal/curate/common"
	"agentlens/internal/model"
)

// checkWords checks the words of a text against those of the plain form.
func checkWords(t *testing.T, text string) (n int) {
	t.Helper()
	var got, want []word
	eachWord(text, func(w word) { got = append(got, w) })
	plainEachWord(text, func(w word) { want = append(want, w) })
	if !slices.Equal(got, want) {
		t.Fatalf("%.300q: %.300v, by the plain form %.300v", text, got, want)
	}
	return len(want)
}

// plainOf is [lookup.eachOf] without filters and keys of phrases: phrases are the ids by hash.
func plainOf(l *lookup, text string, phrases map[uint64]int32) map[alias]bool {
	found := map[alias]bool{}
	plainEachWord(text, func(w word) {
		key := w.key()
		if below, ok := strings.CutPrefix(key, l.base); ok && w.folder && l.base != "" && below != "" && below[0] == '/' {
			key = below[1:]
		}
		for _, a := range l.aliases[maphash.String(l.seed, key)] {
			if !a.end || !w.part {
				found[a] = true
			}
		}
	})
	common.Phrases(text, func(p common.Phrase) {
		if id, ok := phrases[p.Hash]; ok {
			found[alias{word: id}] = true
		}
	})
	return found
}

// checkSearch checks what a search finds in texts, of which some are replies, against the plain form.
func checkSearch(t *testing.T, replies, texts []string) (n int) {
	t.Helper()
	f := finder{lookup: newLookup(&model.Run{Project: "/home/dev/shop"})}
	f.grams = filterOf(1000)
	phrases := map[uint64]int32{}
	for _, text := range replies {
		f.use(text)
		var keys []uint64
		words := common.Keys(nil, text)
		common.EachPhrase(words, func(end int) { keys = append(keys, common.Join(words[end-common.PhraseWords:end])) })
		common.Phrases(text, func(p common.Phrase) {
			if id, ok := f.phrases[keys[0]]; ok {
				phrases[p.Hash] = id
			}
			keys = keys[1:]
		})
	}
	f.known = filterOf(len(f.aliases)+len(f.phrases), maps.Keys(f.aliases), maps.Keys(f.phrases))
	got := map[alias]bool{}
	s := newSearch(f.lookup, func(a alias) { got[a] = true })
	for _, text := range texts {
		clear(got)
		s.read(text)
		if want := plainOf(f.lookup, text, phrases); !maps.Equal(got, want) {
			t.Fatalf("%.300q: found %d words, by the plain form %d", text, len(got), len(want))
		}
		n += len(got)
	}
	return n
}

// samples returns pieces of the texts of genuine sessions.
func samples(t testing.TB) (pieces []string) {
	files, err := filepath.Glob("../../../testdata/*/*")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var from io.Reader = file
		if strings.HasSuffix(name, ".gz") {
			if from, err = gzip.NewReader(file); err != nil {
				t.Fatal(err)
			}
		}
		data, err := io.ReadAll(io.LimitReader(from, 200_000))
		file.Close()
		if err != nil { // a folder or a damaged file
			continue
		}
		text := strings.ReplaceAll(string(data), `\n`, "\n")
		for len(text) > 0 {
			n := min(len(text), 3000)
			pieces = append(pieces, text[:n])
			text = text[n:]
		}
	}
	return pieces
}

// TestWordsArePlainWords checks the fast forms against the plain forms on genuine and on random texts.
func TestWordsArePlainWords(t *testing.T) {
	pieces := samples(t)
	rnd := rand.New(rand.NewPCG(8, 9))
	letters := []rune("aabcefxyzABCZ01234_._-/:@#~,'\"(!`{ \n\\\t\x1e\u00e9\u00c9\u2192localhost127.0.0.1://v")
	for range 5000 {
		b := make([]rune, 1+rnd.IntN(60))
		for i := range b {
			b[i] = letters[rnd.IntN(len(letters))]
		}
		pieces = append(pieces, string(b))
	}
	words, found := 0, 0
	for _, text := range pieces {
		words += checkWords(t, text)
	}
	for block := range slices.Chunk(pieces, 200) {
		var replies []string
		for i := 0; i < len(block); i += 5 {
			replies = append(replies, block[i])
		}
		found += checkSearch(t, replies, block)
	}
	if words < 10_000 || found < 1000 {
		t.Errorf("only %d words and %d found ones were compared", words, found)
	}
}

// FuzzPlainWords checks the fast forms against the plain forms.
func FuzzPlainWords(f *testing.F) {
	for _, seed := range []string{"a/b:1:2", "http://[::1]:80/x", "1,234,567'890 x", "localhost:80/a.b fooBar_baz v1.2.3", "---@--::##", "01:30-02:00", "\xff/\xfe.", "a.b. c: D_e"} {
		f.Add(seed, "see the file "+seed+" for one two three more")
	}
	f.Fuzz(func(t *testing.T, reply, text string) {
		checkWords(t, text)
		checkSearch(t, []string{reply}, []string{reply, text})
	})
}

// A plainContent records which kinds of characters a run contains.
type plainContent uint8

const (
	plainSmall plainContent = 1 << iota
	plainCapital
	plainDigits
	plainUnderscores
	plainOthers
)

func plainEachWord(text string, yield func(w word)) {
	initial := true
	for i := 0; i < len(text); {
		if i == 0 || text[i-1] == '\n' {
			i += common.Gutter(text[i:])
			initial = true
		}
		end, has := plainRun(text, i)
		if end > i {
			if has != plainSmall && end-i <= longestWord { // small letters alone prove nothing
				if has < plainOthers {
					plainAtom(text[i:end], has, false, initial, yield)
				} else {
					plainSplit(text[i:end], initial, yield)
				}
			}
			initial = text[end-1] == '.' || text[end-1] == ':'
			i = end
			continue
		}
		if i >= len(text) {
			return
		}
		c := text[i]
		initial = initial || plainOpens(c)
		if i++; c == '\\' && i < len(text) && escapes(text[i]) {
			initial = true
			i++
		}
	}
}

func plainOpens(c byte) bool {
	switch c {
	case '!', '?', '"', '\'', '`', '*', '>', '|', '(', '[', '{':
		return true
	}
	return false
}

func plainRun(text string, i int) (end int, has plainContent) {
	for i < len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z':
			has |= plainSmall
		case 'A' <= c && c <= 'Z':
			has |= plainCapital
		case isDigit(c):
			has |= plainDigits
		case c == '_':
			has |= plainUnderscores
		case plainIsMark(c) || (c == ',' || c == '\'') && grouped(text, i):
			has |= plainOthers
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return i, has
			}
			has |= plainOthers
			i += size - 1
		default:
			return i, has
		}
		i++
	}
	return i, has
}

func plainIsMark(c byte) bool {
	switch c {
	case '-', '.', '/', ':', '@', '#', '~':
		return true
	}
	return false
}

func plainTrimMarks(s string) string {
	for len(s) > 0 && plainIsMark(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && plainIsMark(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func plainSplit(run string, initial bool, yield func(w word)) {
	if i := strings.Index(run, "://"); i > 0 {
		plainPath(withoutPort(plainWithoutLocal(run[i+3:]), yield), yield)
		return
	}
	if run = plainTrimMarks(run); run == "" {
		return
	}
	run = plainWithoutLocal(run)
	if times(run, yield) {
		return
	}
	if at := strings.IndexByte(run, '@'); at > 0 && !strings.Contains(run, "/") {
		if at+1 < len(run) && !isDigit(run[at+1]) && strings.Contains(run[at:], ".") {
			yield(word{kind: emailWord, text: run})
			return
		}
		run = run[:at] + ":" + run[at+1:]
	}
	inFile := false // the previous part names a file
	for rest := run; rest != ""; {
		end := 0
		for end < len(rest) && rest[end] != ':' && rest[end] != '#' {
			end++
		}
		part := rest[:end]
		if rest = rest[min(end+1, len(rest)):]; part == "" {
			continue
		}
		if inFile && (allDigits(part) || strings.HasPrefix(part, "L") && allDigits(part[1:])) {
			continue
		}
		slash := strings.IndexByte(part, '/') >= 0
		inFile = (slash || strings.IndexByte(part, '.') >= 0) && !isDigit(part[0])
		if slash {
			plainPath(part, yield)
		} else {
			plainAtom(part, plainOthers, false, initial, yield)
		}
	}
}

func plainWithoutLocal(run string) string {
	for _, host := range []string{"localhost", "127.0.0.1", "0.0.0.0", "127.0.1.1"} {
		rest, ok := strings.CutPrefix(run, host)
		if !ok || rest != "" && rest[0] != ':' && rest[0] != '/' {
			continue
		}
		if rest != "" && rest[0] == ':' {
			rest = rest[1+digitsAt(rest, 1):]
		}
		return rest
	}
	return run
}

func plainAtom(s string, has plainContent, part, initial bool, yield func(w word)) {
	if has >= plainOthers {
		s = plainTrimMarks(s)
	}
	if has >= plainUnderscores && strings.IndexByte(s, '.') < 0 {
		s = strings.Trim(s, "_")
	}
	if len(s) < 3 {
		return
	}
	f := shapeOf(s)
	w := word{text: s, part: part, initial: initial}
	switch {
	case f.letters == 0 && f.dots > 0:
		w.kind = pointWord
	case f.letters == 0 && f.hyphens > 0:
		w.kind = dateWord
	case f.letters == 0:
		w.kind, w.text = numberWord, ungrouped(s)
	case f.letters == 1 && s[0] == 'v' && f.dots > 0:
		w.kind, w.text = pointWord, s[1:]
	case f.hex && f.digits > 0 && len(s) >= shortestHash && len(s) <= 64:
		w.kind, w.text = commitWord, s[:shortestHash]
	case f.dots > 0:
		w.kind = dottedWord
		plainDotted(s, yield)
	case f.hyphens > 0:
		w.kind = hyphenWord
	case f.joints > 0:
		w.kind, w.joined = nameWord, joined(s)
	case f.digits > 0:
		w.kind = mixedWord
	case f.capital && len(s) > 3:
		w.kind = properWord
	default:
		return
	}
	yield(w)
}

func plainDotted(s string, yield func(w word)) {
	for part := range strings.SplitSeq(s, ".") {
		if f := shapeOf(part); f.joints > 0 && f.hyphens == 0 {
			yield(word{kind: nameWord, text: strings.Trim(part, "_"), joined: joined(part), inner: true})
		}
	}
}

func plainPath(p string, yield func(w word)) {
	segments := segmentsOf(p)
	if len(segments) == 0 {
		return
	}
	whole := strings.Join(segments, "/")
	last := len(segments) - 1
	begin := 0
	for i := range last {
		w := word{kind: pathWord, text: whole[begin:], part: i > 0}
		if i == 0 && p[0] == '/' {
			w.text, w.joined = "/"+w.text, w.text
		}
		yield(w)
		begin += len(segments[i]) + 1
	}
	plainAtom(segments[last], plainOthers, last > 0, true, yield)
	for i := last - 1; i >= 0; i-- {
		begin -= len(segments[i]) + 1
		if end := begin + len(segments[i]); i > 0 {
			yield(word{kind: pathWord, text: whole[:end], folder: true})
		}
	}
}
