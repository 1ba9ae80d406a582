package tokens

// A text is cut into pieces before it is cut into tokens; no token goes beyond
// its piece. Each encoding has a pattern for it, a regular expression whose first
// alternative that matches wins. Written out by hand they are:
//
//	cl100k  (?i:'s|'t|'re|'ve|'m|'ll|'d)
//	        [^\r\n\p{L}\p{N}]?\p{L}+
//	        \p{N}{1,3}
//	         ?[^\s\p{L}\p{N}]+[\r\n]*
//	        \s*[\r\n]+
//	        \s+(?!\S)
//	        \s+
//
//	o200k   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	        [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	        the rest as above, but  ?[^\s\p{L}\p{N}]+[\r\n/]*
//
// A splitter gives the end of the piece that begins at s[i], i < len(s).
type splitter func(c *classes, s string, i int) int

const (
	letter = upperCase | lowerCase | caseless
	symbol = other | combining // [^\s\p{L}\p{N}]
	blank  = whiteSpace | lineEnd

	wordHead = upperCase | caseless | combining
	wordTail = lowerCase | caseless | combining
)

func splitCL100k(c *classes, s string, i int) int {
	if s[i] == '\'' {
		if end := contraction(s, i); end > i {
			return end
		}
	}
	k, n := c.at(s, i)
	switch {
	case k&letter != 0:
		return c.run(s, i+n, letter)
	case k&(number|lineEnd) == 0 && c.has(s, i+n, letter):
		return c.run(s, i+n, letter)
	case k == number:
		return c.digits(s, i)
	}
	if end := c.symbols(s, i); end > i {
		for end < len(s) && (s[end] == '\r' || s[end] == '\n') {
			end++
		}
		return end
	}
	return c.spaces(s, i)
}

func splitO200k(c *classes, s string, i int) int {
	k, n := c.at(s, i)
	switch {
	case k&(letter|combining) != 0:
		return contraction(s, c.word(s, i))
	case k&(number|lineEnd) == 0 && c.has(s, i+n, letter|combining):
		return contraction(s, c.word(s, i+n))
	case k == number:
		return c.digits(s, i)
	}
	if end := c.symbols(s, i); end > i {
		for end < len(s) && (s[end] == '\r' || s[end] == '\n' || s[end] == '/') {
			end++
		}
		return end
	}
	return c.spaces(s, i)
}

// word is a word of o200k from s[i] on, which has capitals at its head only.
// Where no small letter follows the head, the first alternative gives characters
// back until one of them can be the tail: the word ends after the last that is
// not a capital. Where all are, the second alternative takes them.
func (c *classes) word(s string, i int) int {
	back := 0
	for i < len(s) {
		k, n := c.at(s, i)
		if k == lowerCase {
			return c.run(s, i+n, wordTail)
		}
		if k&wordHead == 0 {
			break
		}
		i += n
		if k != upperCase {
			back = i
		}
	}
	if back > 0 {
		return back
	}
	return i
}

// digits takes up to three numbers.
func (c *classes) digits(s string, i int) int {
	for range 3 {
		if i >= len(s) {
			break
		}
		k, n := c.at(s, i)
		if k != number {
			break
		}
		i += n
	}
	return i
}

// symbols is " ?[^\s\p{L}\p{N}]+", or i where there are none.
func (c *classes) symbols(s string, i int) int {
	from := i
	if s[i] == ' ' {
		from++
	}
	if end := c.run(s, from, symbol); end > from {
		return end
	}
	return i
}

// spaces is the last three alternatives: up to the last line end; else all but
// the last, which belongs to what follows; else what there is.
func (c *classes) spaces(s string, i int) int {
	end, last, line := i, i, i
	for end < len(s) {
		k, n := c.at(s, end)
		if k&blank == 0 {
			break
		}
		last, end = end, end+n
		if k == lineEnd {
			line = end
		}
	}
	switch {
	case line > i:
		return line
	case end == len(s) || last == i:
		return end
	}
	return last
}

// contraction gives the end of (?i:'s|'t|'re|'ve|'m|'ll|'d) at s[i], or i. Case
// folding makes the long s an s.
func contraction(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	switch s[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if i+2 < len(s) && s[i+2]|0x20 == 'e' {
			return i + 3
		}
	case 'l':
		if i+2 < len(s) && s[i+2]|0x20 == 'l' {
			return i + 3
		}
	}
	if len(s) > i+2 && s[i+1:i+3] == "ſ" {
		return i + 3
	}
	return i
}
