package tokens

// A text is split into pieces before it is split into tokens; no token crosses the end
// of its piece. Each encoding defines a regular expression for the pieces, of which the
// first matching alternative applies:
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
// A splitter returns the end of the piece that begins at s[i], where i < len(s).
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

// word returns the end of a word of o200k, which has capitals only at its beginning. If no
// lower-case letter follows the capitals, the first alternative backtracks to a character that
// can be in the tail: the word ends after the last one that is not a capital. If all are
// capitals, the second alternative matches them all.
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

// digits returns the end of up to three numbers.
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

// symbols matches " ?[^\s\p{L}\p{N}]+" and returns its end, or i if there is no match.
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

// spaces matches the last three alternatives: up to the last line end; otherwise all but the
// last space, which belongs to the next piece; otherwise everything.
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

// contraction returns the end of (?i:'s|'t|'re|'ve|'m|'ll|'d) at s[i], or i. Case folding maps
// the long s to s.
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
