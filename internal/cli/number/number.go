// Package number formats numbers for people.
//
// It must never print: it returns strings.
package number

import (
	"fmt"
	"strconv"
)

// Count returns a number with its noun, such as "1 run" or "2,304 runs".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Group(int64(n)) + " " + thing
}

// Group returns n with a comma between groups of three digits.
func Group(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Short returns n in at most five characters: 310, 12.0k, 1.2M.
func Short(n int64) string {
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

// Cut returns s shortened to max characters. If it cuts s, the last character is "…".
func Cut(s string, max int) string {
	if n := []rune(s); len(n) > max {
		return string(n[:max-1]) + "…"
	}
	return s
}

// Bytes returns a size with its unit: 812 B, 1.3 MB.
func Bytes(n int64) string {
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
