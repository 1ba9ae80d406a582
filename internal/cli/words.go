package cli

import "fmt"

// Numbers and texts as a person reads them.

// countOf is a number of things in words: 1 run, 2,304 runs.
func countOf(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return comma(int64(n)) + " " + thing
}

// comma writes a count in groups of three digits.
func comma(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// short writes a count in at most five characters: 310, 12.0k, 1.2M.
func short(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 99_950:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	case n < 999_500:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// cut shortens a text to max characters.
func cut(s string, max int) string {
	if n := []rune(s); len(n) > max {
		return string(n[:max-1]) + "…"
	}
	return s
}

// bytesOf writes a size as people do: 812 B, 1.3 MB.
func bytesOf(n int64) string {
	size, unit := float64(n), 0
	units := [...]string{"B", "KB", "MB", "GB", "TB"}
	for size >= 999.5 && unit < len(units)-1 {
		size, unit = size/1000, unit+1
	}
	if unit == 0 || size >= 99.5 {
		return fmt.Sprintf("%.0f %s", size, units[unit])
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}

// tokensOf writes the tokens of a sum of calls, "–" where none are known.
func tokensOf(n int64, known bool) string {
	if !known {
		return "–"
	}
	return short(n)
}
