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
	"maps"
	"slices"
	"strings"

	"agentlens/internal/curate/common"
	"agentlens/internal/model"
)

// Evidence is the earlier content on which the recorded replies of a thread are based:
//
//   - Needed: a reply contains words or phrases of an earlier message, which nobody would write without having read
//     them. The first message that contains them is the source. See below.
//   - Instructions: the messages in which a person states a rule or asks for something. Questions and
//     remarks do not count. Neither do injected messages, which agents inject again with later
//     prompts whether or not the record shows it, nor summaries.
//   - Repeated: a reply requests an earlier result again, with the same tool and arguments,
//     and nothing in between explains it.
//
// A word is a path, an identifier or a number, a phrase five words in a row. They are evidence if
//
//   - they are specific. A file in a folder, an identifier of three words or with a rare one, a hash or a number of
//     five digits is enough alone. An identifier of two frequent words, a name, a time or a short number is half of an
//     evidence, because two writers may choose it independently; it is enough if no other message contains it.
//     Phrases are enough from seven words in a row on, or six that no other message contains. Words and phrases of the
//     same message add up; words inside another one do not. [common.LevelOf] knows what is frequent.
//   - they are rare in the run: in 64 messages at most. More frequent words are the vocabulary of the project.
//   - they were first seen in the message. Words of the leading messages that a system or an agent wrote are
//     always sent, whether or not the record shows it; the folder of the run and those above it are in every prompt.
//     A [Pair] names the message that left the views last, if several contain the words.
//   - nothing in the view of the call contains them, neither a summary nor the arguments of a call. A file in the
//     view makes its folders known, and its name makes its path known.
//   - for a message of an assistant, twelve words in a row or a word: an assistant repeats its own phrases.
type Evidence struct {
	thread  *model.Thread
	base    string       // the folder of the run, without slashes around it
	seed    maphash.Seed // of whole words
	ends    maphash.Seed // of the ends of paths in replies
	aliases map[uint64][]alias
	phrases map[uint64]int32 // id of each phrase of a reply
	known   filter           // of the keys of aliases and phrases
	words   []evidenceWord   // by id
	calls   []needs          // per call
	demands []demand
	levels  common.Levels // of the words in replies
	keep    storage       // of the texts and holders of words
}

// An evidenceWord is a word or phrase of a reply.
type evidenceWord struct {
	text   string
	key    string // of a word, see [word.key]
	weight weight
	// holders are the messages that contain the word, ascending; nil if it proves nothing.
	// hints are messages that may mean it: they contain the name of the file alone.
	holders, hints []int32
}

// An alias is a word by which a message refers to a word of a reply.
type alias struct {
	word int32
	hint bool
}

// needs is the earlier content on which the reply of a call is based.
type needs struct {
	sources []cited
	repeats []repeat
}

// cited is a message with those of its words that a reply uses.
type cited struct {
	message int32
	words   []int32
}

const (
	maxWords   = 256 // of a reply, and as many phrases
	maxHolders = 64  // messages with a word
	maxAliases = 8   // words with the same alias
	maxShown   = 80  // bytes of a phrase
	ownPhrases = 8   // of an assistant's message: twelve words in a row
)

// Find returns the evidence of a thread. It reads every text once, and the texts of replies
// twice. If the run keeps numbers, later calls read little more than the replies.
func Find(ctx context.Context, run *model.Run, t *model.Thread) (*Evidence, error) {
	e := &Evidence{
		thread: t, base: strings.Trim(run.Project, "/"), seed: maphash.MakeSeed(), ends: maphash.MakeSeed(),
		aliases: map[uint64][]alias{}, phrases: map[uint64]int32{}, calls: make([]needs, len(t.Calls)),
	}
	used := make([][]int32, len(t.Calls))
	for c := range t.Calls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i, ok := t.Calls[c].Reply.Get(); ok {
			text, err := read(run, t, i)
			if err != nil {
				return nil, err
			}
			used[c] = e.use(text)
		}
	}
	e.known = filterOf(len(e.aliases)+len(e.phrases), maps.Keys(e.aliases), maps.Keys(e.phrases))
	if err := e.findHolders(ctx, run); err != nil {
		return nil, err
	}
	e.forget()
	for c := range t.Calls {
		e.calls[c].sources = e.sources(c, used[c], func(int) bool { return true })
	}
	var err error
	if e.demands, err = findDemands(run, t, e.levels.Of); err != nil {
		return nil, fmt.Errorf("instructions: %w", err)
	}
	return e, e.findRepeats(run)
}

// read returns the text of a message and the arguments of its calls.
func read(run *model.Run, t *model.Thread, i int) (string, error) {
	m := t.At(i)
	text, err := run.Text(m)
	if err != nil {
		return "", fmt.Errorf("words of message %d: %w", i+1, err)
	}
	if len(m.Calls) == 0 {
		return text, nil
	}
	all := []string{text}
	for j := range m.Calls {
		args, err := run.Body(m.Calls[j].Args)
		if err != nil {
			return "", fmt.Errorf("words of message %d: %w", i+1, err)
		}
		all = append(all, values(args))
	}
	return strings.Join(all, "\n"), nil
}

// EachWord yields the words of a message that can be evidence: those of its text and of the
// arguments of its calls. It stops soon after yield returns false.
func EachWord(run *model.Run, t *model.Thread, i int, yield func(word string) bool) error {
	text, err := read(run, t, i)
	if err != nil {
		return err
	}
	for more := true; more && text != ""; {
		lines := someLines(text)
		text = text[len(lines):]
		eachWord(lines, func(w word) {
			if more && !w.folder && worth(w) {
				more = yield(w.key())
			}
		})
	}
	return nil
}

// someLines returns the first lines of a text: few bytes if it has short lines. No word continues on the next line.
func someLines(text string) string {
	const few = 2 << 10
	if len(text) > few {
		if end := strings.IndexByte(text[few:], '\n'); end >= 0 {
			return text[:few+end+1]
		}
	}
	return text
}

// use returns the words and phrases of a reply that can be evidence.
func (e *Evidence) use(text string) []int32 {
	var used []int32
	add := func(id int32) {
		if !slices.Contains(used, id) {
			used = append(used, id)
		}
	}
	names := english(text, e.levels.Of)
	path := int32(-1) // the path whose ends follow
	skip := false     // a path that proves nothing
	eachWord(text, func(w word) {
		if len(used) >= maxWords || w.folder || w.kind == properWord && !names {
			return
		}
		ends := w.part || w.inner
		if !ends {
			path, skip = -1, false
		}
		if skip {
			return
		}
		judged, own := e.relative(w)
		if own {
			skip = true
			return
		}
		worth := weighWord(judged)
		if ends && path >= 0 {
			if !w.inner {
				e.alias(maphash.String(e.ends, w.key()), alias{path, worth == nothing})
			}
			return
		}
		if worth == nothing {
			skip = judged.text != w.text
			return
		}
		id := e.add(w, judged.text, worth)
		if w.kind == pathWord && !w.part {
			path = id
		}
		add(id)
	})
	most := len(used) + maxWords
	common.Phrases(text, func(p common.Phrase) {
		if len(used) >= most {
			return
		}
		id, ok := e.phrases[p.Hash]
		if !ok {
			weight := weigh(p, text, e.levels.Of)
			if weight == nothing {
				return
			}
			id = int32(len(e.words))
			e.phrases[p.Hash] = id
			e.words = append(e.words, evidenceWord{text: e.keep.keep(strings.Join(strings.Fields(lead(text[p.Start:p.End], maxShown)), " ")), weight: weight})
		}
		add(id)
	})
	return used
}

// relative returns a path below the folder of the run relative to it, and any other word as it is. It reports whether
// the word is that folder or one above it, which every message of the run takes for granted.
func (e *Evidence) relative(w word) (judged word, own bool) {
	if w.kind != pathWord || w.part || e.base == "" {
		return w, false
	}
	key := w.key()
	if key == e.base || strings.HasPrefix(e.base, key) && e.base[len(key)] == '/' {
		return w, true
	}
	below, ok := strings.CutPrefix(key, e.base)
	if !ok || below[0] != '/' {
		return w, false
	}
	judged = word{kind: pathWord, text: below[1:]}
	if strings.IndexByte(judged.text, '/') < 0 {
		judged.text = "" // a name without marks proves nothing
		atom(below[1:], others, false, true, func(w word) {
			if !w.inner {
				judged = w
			}
		})
	}
	return judged, judged.text == ""
}

// add returns the id of a word that is shown as a text.
func (e *Evidence) add(w word, shown string, worth weight) int32 {
	key := maphash.String(e.seed, w.key())
	for _, a := range e.aliases[key] {
		if !a.hint && e.words[a.word].key == w.key() {
			return a.word
		}
	}
	id := int32(len(e.words))
	e.words = append(e.words, evidenceWord{text: e.keep.keep(shown), key: e.keep.keep(w.key()), weight: worth})
	e.alias(key, alias{word: id})
	return id
}

func (e *Evidence) alias(key uint64, a alias) {
	if all := e.aliases[key]; len(all) < maxAliases && !slices.Contains(all, a) {
		e.aliases[key] = append(all, a)
	}
}

// eachOf yields the words and phrases of a text that are part of the evidence.
func (e *Evidence) eachOf(text string, yield func(a alias)) {
	words := batch{of: e, found: func(hash uint64) {
		for _, a := range e.aliases[hash] {
			yield(a)
		}
	}}
	eachWord(text, func(w word) {
		key := w.key()
		if below, ok := strings.CutPrefix(key, e.base); ok && w.folder && e.base != "" && below != "" && below[0] == '/' {
			key = below[1:]
		}
		words.add(maphash.String(e.seed, key))
		if !w.part {
			words.add(maphash.String(e.ends, key))
		}
	})
	words.flush()
	phrases := batch{of: e, found: func(hash uint64) {
		if id, ok := e.phrases[hash]; ok {
			yield(alias{word: id})
		}
	}}
	common.Phrases(text, func(p common.Phrase) { phrases.add(p.Hash) })
	phrases.flush()
}

// hold notes that message i contains the word.
func (w *evidenceWord) hold(i int32, hint bool, keep *storage) {
	to := &w.holders
	if hint {
		to = &w.hints
	}
	if h := *to; len(h) <= maxHolders && (len(h) == 0 || h[len(h)-1] != i) {
		if h == nil {
			h = keep.list()
		}
		*to = append(h, i)
	}
}

// forget removes the words that prove nothing.
func (e *Evidence) forget() {
	head := 0
	for head < e.thread.Len() && (e.thread.At(head).Role == model.System || e.thread.At(head).Badges.Has(model.Injected)) {
		head++
	}
	for id := range e.words {
		w := &e.words[id]
		if len(w.holders) < 2 || len(w.holders) > maxHolders || len(w.hints) > maxHolders || int(w.holders[0]) < head || len(w.hints) > 0 && int(w.hints[0]) < head {
			*w = evidenceWord{}
			continue
		}
		if len(w.holders) == 2 && len(w.hints) == 0 {
			w.weight = w.weight.alone(w.key == "")
		}
	}
}

// sources returns the messages that used words of a reply come from: for each word, the first of the messages that
// contain it, were given to the call with index c and are accepted by from.
func (e *Evidence) sources(c int, used []int32, from func(message int) bool) (list []cited) {
	call := &e.thread.Calls[c]
	at := map[int32]int{}
	for _, id := range used {
		for _, h := range e.words[id].holders {
			if int(h) >= call.Reply.Or(0) || !given(call, h) || !from(int(h)) {
				continue
			}
			i, ok := at[h]
			if !ok {
				i = len(list)
				at[h] = i
				list = append(list, cited{message: h})
			}
			list[i].words = append(list[i].words, id)
			break
		}
	}
	return slices.DeleteFunc(list, func(s cited) bool { return !e.proves(s.message, s.words) })
}

// proves reports whether words of a message are evidence together. An assistant may repeat its own earlier
// words, so a few phrases do not prove that it read the message again.
func (e *Evidence) proves(message int32, words []int32) bool {
	sum, phrases := weight(0), 0
	for i, id := range words {
		w := &e.words[id]
		if w.key == "" {
			phrases++
		}
		if sum < enough && !(w.weight == half && e.repeated(words[:i], w)) {
			sum += w.weight
		}
	}
	if e.thread.At(int(message)).Role == model.Assistant && phrases == len(words) {
		return phrases >= ownPhrases
	}
	return sum >= enough
}

// repeated reports whether a word is a part of another one, as Count is of state.Count.
func (e *Evidence) repeated(words []int32, w *evidenceWord) bool {
	return slices.ContainsFunc(words, func(id int32) bool {
		other := &e.words[id]
		return other.key != "" && (strings.Contains(other.key, w.key) || strings.Contains(w.key, other.key))
	})
}

// given reports whether message i was given to a call.
func given(c *model.Call, i int32) bool {
	if c.GivenList != nil {
		return slices.Contains(c.GivenList, i)
	}
	return int(i) < c.Given
}

// english reports whether most words at the beginning of a text are in the table of common
// words. In other languages, a capitalized word need not be a name.
func english(text string, levelOf func(hash uint64) common.Level) bool {
	known, all := 0, 0
	common.Words(lead(text, 2000), func(w string) {
		if all++; levelOf(common.Hash(w)) > common.Rare {
			known++
		}
	})
	return 10*known >= 7*all
}
