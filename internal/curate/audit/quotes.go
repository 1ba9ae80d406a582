package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// plainText returns a text in lower case, with letters and digits alone and one space
// between words.
func plainText(s string) string {
	var b strings.Builder
	space := true
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
			space = false
		} else if !space {
			b.WriteByte(' ')
			space = true
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// quotedIn returns how much of a text the summary, in plain form, holds word for word.
func quotedIn(text, summary string) share {
	if summary == "" {
		return nothing
	}
	if strings.Contains(summary, plainText(text)) {
		return whole
	}
	held, all := 0, 0
	for _, s := range sentences(text) {
		if plain := plainText(s); len(strings.Fields(plain)) >= fewestQuotedWords {
			all++
			if strings.Contains(summary, plain) {
				held++
			}
		}
	}
	switch {
	case held == 0:
		return nothing
	case held == all:
		return whole
	}
	return part
}

// sentences splits a text at line breaks and at the ends of sentences.
func sentences(text string) (list []string) {
	start := 0
	add := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			list = append(list, s)
		}
		start = end
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			add(i)
		case c == '.' || c == '!' || c == '?' || c == ';':
			if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n' {
				add(i + 1)
			}
		}
	}
	add(len(text))
	return list
}

// A breach is a tool call that acts against an instruction.
type breach struct {
	use  *use
	word string
}

// prohibitions holds the expressions that find a prohibition in a sentence. They are compiled
// once per audit of an instruction that has one of the words.
func prohibitions() (forbids, excepts, objects *regexp.Regexp) {
	return regexp.MustCompile(`(?i)\b(never|do not|don't|don’t|must not|mustn't|may not|should not|shouldn't)\s+(ever\s+)?(touch|edit|change|modify|alter|delete|remove|overwrite|rename|move|update|rewrite|write to)\b`),
		regexp.MustCompile(`(?i)\b(except|unless|without|until|before|other than|but|only|if|when|yet)\b`),
		regexp.MustCompile(`[\p{L}\d_./-]{3,}`)
}

// forbidden returns the files that a text forbids to change: paths, file names and numbers.
func forbidden(text string) (words []string) {
	lower := strings.ToLower(text)
	if !strings.Contains(lower, "never") && !strings.Contains(lower, "not ") && !strings.Contains(lower, "n't") && !strings.Contains(lower, "n’t") {
		return nil
	}
	forbids, excepts, objects := prohibitions()
	for _, s := range sentences(text) {
		at := forbids.FindStringIndex(s)
		if at == nil || len(s) > 400 || excepts.MatchString(s) {
			continue
		}
		for _, word := range objects.FindAllString(s[at[1]:], -1) {
			if word = strings.Trim(word, "./-"); isFile(word) {
				words = append(words, word)
			}
		}
	}
	return words[:min(len(words), 16)]
}

// isFile reports whether a word is the name of a file or folder, or a number of at least three digits.
func isFile(word string) bool {
	if len(word) < 3 || len(word) > 200 {
		return false
	}
	digits := strings.IndexFunc(word, func(r rune) bool { return r < '0' || r > '9' }) < 0
	dot := strings.LastIndexByte(word, '.')
	return digits || strings.ContainsRune(word, '/') || dot > 0 && len(word)-dot-1 >= 1 && len(word)-dot-1 <= 5
}

// writers are the tools that change the file they name.
func writers() []string {
	return []string{"edit", "write", "multiedit", "notebookedit", "edit_file", "write_file", "create_file", "delete_file", "replace", "str_replace", "apply_diff", "write_to_file", "replace_in_file", "search_replace"}
}

// mostForbidden limits the words that a thread is searched for. Each takes time proportional to the thread.
const mostForbidden = 64

// breach returns the first tool call that changes a file which message i, by a person, forbids
// to change, at a call whose view lacks the message. Calls after another message of a person
// that names the file do not count.
func (th *thread) breach(i, from int, text string) (*breach, error) {
	tools := writers()
	for _, w := range forbidden(text) {
		if th.forbidden++; th.forbidden > mostForbidden {
			break
		}
		until, err := th.mention(w, i)
		if err != nil {
			return nil, err
		}
		for k := range th.tools {
			u := &th.tools[k]
			if u.call < from || !u.path || u.failed || u.message > until || !slices.Contains(tools, strings.ToLower(u.tool)) {
				continue
			}
			if names(u.object, w) && th.rec.Has(u.call) && !th.has(i, u.call) {
				return &breach{u, w}, nil
			}
		}
	}
	return nil, nil
}

// has reports whether the view of call n has message i.
func (th *thread) has(i, n int) bool {
	for _, s := range th.lives[i] {
		if int(s.From) <= n && n <= int(s.To) {
			return true
		}
	}
	return false
}

// mention returns the first message of a person after message i that has a word.
func (th *thread) mention(word string, i int) (int, error) {
	for i++; i < th.t.Len(); i++ {
		if m := th.t.At(i); written(m) {
			text, err := th.run.Text(m)
			if err != nil {
				return i, fmt.Errorf("message %d: %w", i+1, err)
			}
			if strings.Contains(text, word) && !harness(text) {
				return i, nil
			}
		}
	}
	return i, nil
}

// names reports whether a path contains a word as one or more whole parts.
func names(path, word string) bool {
	for from := 0; ; {
		at := strings.Index(path[from:], word)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(word)
		if border(path, start-1) && border(path, end) {
			return true
		}
		from = start + 1
	}
}

// border reports whether position i of a path is a word boundary.
func border(path string, i int) bool {
	if i < 0 || i >= len(path) {
		return true
	}
	c := path[i]
	return !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80)
}
