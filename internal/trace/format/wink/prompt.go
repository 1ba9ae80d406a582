package wink

import (
	"fmt"
	"strconv"
	"strings"

	"agentlens/internal/trace/ground/chat/loose"
)

// A render is one rendering of a prompt as the log tells it: which sections there
// were and how much of each was shown.
type render struct {
	shown []shownSection
	place string
	used  bool // its text is recorded
}

type shownSection struct{ path, visibility string }

// visibility of a section, "" where the log does not tell.
func (r render) visibility(path string) string {
	for _, s := range r.shown {
		if s.path == path {
			return s.visibility
		}
	}
	return ""
}

// A section is a stretch of a rendered prompt under one heading.
type section struct {
	number, title, path string
	text                string // with its heading
}

// prompts folds the rendered prompts of a session: a document for each section,
// named with how much of it was shown. The log knows that; without one the hint
// that ends a summary tells. Renderings stand in the log in the order of the
// prompts, those of other sessions between them.
func (l *loader) prompts(s *snapshot) {
	items := s.items(promptRendered)
	for _, it := range items {
		l.prompt(promptName(it.Object), it.Text("rendered_prompt"), it.place)
	}
	if len(items) > 0 {
		return
	}
	for _, it := range s.items("InnerMessage") {
		if it.Text("role") == "system" {
			l.prompt(promptName(it.Object), it.Text("content"), it.place)
		}
	}
}

func (l *loader) prompt(name, text, place string) {
	list := sectionsOf(text)
	r := l.rendering(list)
	l.nth++
	for _, sec := range list {
		visibility := r.visibility(sec.path)
		if visibility == "" {
			visibility = "full"
			if summarised(sec.text) {
				visibility = "summary"
			}
		}
		title := fmt.Sprintf("prompt %d %s: %s. %s (%s), %s", l.nth, name, sec.number, sec.title, sec.path, visibility)
		l.text(title, "prompt section", sec.text, place)
	}
}

// rendering finds the log's account of a prompt: the first that is not used and
// has all its sections; an empty one where there is none.
func (l *loader) rendering(list []section) render {
next:
	for i := range l.renders {
		r := &l.renders[i]
		if r.used || len(list) == 0 {
			continue
		}
		for _, sec := range list {
			if r.visibility(sec.path) == "" {
				continue next
			}
		}
		r.used = true
		return *r
	}
	return render{}
}

// unseen lists the sections of renderings whose text is not recorded.
func (l *loader) unseen() {
	for i, r := range l.renders {
		if r.used {
			continue
		}
		var b strings.Builder
		for _, s := range r.shown {
			fmt.Fprintf(&b, "%s: %s\n", s.path, s.visibility)
		}
		if b.Len() > 0 {
			l.text(fmt.Sprintf("rendering %d: sections (its text is not recorded)", i+1), "prompt section", b.String(), r.place)
		}
	}
}

// summarised reports whether a section ends with the hint that stands for what
// was left out of it.
func summarised(text string) bool {
	at := strings.LastIndex(text, "\n---\n[This section is summarized")
	return at >= 0 && strings.HasSuffix(strings.TrimSpace(text), "]") && !strings.Contains(strings.TrimSpace(text[at+5:]), "\n")
}

// sectionsOf cuts a rendered prompt at its headings. A text may hold lines that
// look like headings, so only the next number there can be counts as one. What
// stands before the first heading is in no section.
func sectionsOf(text string) []section {
	var list []section
	begin := 0
	last := ""
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if s, ok := headingOf(strings.TrimRight(text[at:end], "\r\n")); ok && follows(last, s.number) && (at == 0 || strings.HasSuffix(text[:at], "\n\n")) {
			if len(list) > 0 {
				list[len(list)-1].text = text[begin:at]
			}
			list, begin, last = append(list, s), at, s.number
		}
		at = end
	}
	if len(list) > 0 {
		list[len(list)-1].text = text[begin:]
	}
	return list
}

// headingOf reads "## 2. Guidelines (guidelines)": two marks and one more for each
// level, the number, the title, and the path in brackets. Depth, number and path
// must agree.
func headingOf(line string) (s section, ok bool) {
	rest := strings.TrimLeft(line, "#")
	marks := len(line) - len(rest)
	rest, ok = strings.CutPrefix(rest, " ")
	if !ok || marks < 2 {
		return s, false
	}
	number, rest, ok := strings.Cut(rest, ". ")
	open := strings.LastIndexByte(rest, '(')
	if !ok || open < 1 || !strings.HasSuffix(rest, ")") {
		return s, false
	}
	s = section{number: number, title: strings.TrimSpace(rest[:open]), path: rest[open+1 : len(rest)-1]}
	levels := strings.Count(number, ".") + 1
	return s, levels == marks-1 && levels == strings.Count(s.path, ".")+1 && !strings.ContainsAny(s.path, " \t")
}

// follows reports whether a section of that number can come next: the first one
// below the last, or the next one on any level above. Sections that are switched
// off leave no hole in the numbers of those shown, but may in later releases, so
// a number may skip some.
func follows(last, number string) bool {
	next, ok := levelsOf(number)
	if !ok {
		return false
	}
	before, _ := levelsOf(last)
	shared := 0
	for shared < len(before) && shared < len(next) && before[shared] == next[shared] {
		shared++
	}
	if shared == len(next) || shared < len(next)-1 {
		return false
	}
	return shared == len(before) || next[shared] > before[shared]
}

func levelsOf(number string) (levels []int, ok bool) {
	if number == "" {
		return nil, true
	}
	for _, part := range strings.Split(number, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, false
		}
		levels = append(levels, n)
	}
	return levels, true
}

// timeline counts what a snapshot holds of the conversation, so that several of
// one session can be told apart.
func (s *snapshot) timeline() (messages, tools int) {
	for _, class := range []string{"InnerMessage", "ConversationEntry", "ConversationRecorded"} {
		messages += len(s.items(class))
	}
	for _, it := range s.items("TaskHistory") {
		for _, raw := range it.Array("steps") {
			messages += len(loose.Parse(raw).Array("turns"))
		}
	}
	return messages, len(s.toolEvents())
}
