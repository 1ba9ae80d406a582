package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// A Filter selects rows; the zero value selects all.
type Filter struct {
	Format, Status, Model string    // Model: a part of the name, ignoring case
	Since                 time.Time // selects runs with any record since then
	MinTokens             int64
	Has                   []string // names of Features
}

// Features maps names to properties that runs can be filtered by.
func Features() map[string]func(*Row) bool {
	return map[string]func(*Row) bool{
		"pending":    func(r *Row) bool { return r.Pending > 0 },
		"error":      func(r *Row) bool { return r.Errors > 0 || r.Status == model.StatusFailed },
		"compaction": func(r *Row) bool { return r.Compactions > 0 },
		"subagent":   func(r *Row) bool { return r.SubAgents > 0 },
	}
}

// Wants reports whether the filter selects a row.
func (f *Filter) Wants(r *Row) bool {
	if f.Format != "" && f.Format != r.Format || f.Status != "" && f.Status != string(r.Status) {
		return false
	}
	if f.Model != "" && !slices.ContainsFunc(r.Models, func(m safe.SafeJSON) bool {
		return strings.Contains(strings.ToLower(m.String()), strings.ToLower(f.Model))
	}) {
		return false
	}
	if at, ok := max(r.At(), r.Last).At(); !f.Since.IsZero() && (!ok || at.Before(f.Since)) {
		return false
	}
	if n, _ := r.Tokens(); f.MinTokens > 0 && n < f.MinTokens {
		return false
	}
	features := Features()
	for _, name := range f.Has {
		if has := features[name]; has == nil || !has(r) {
			return false
		}
	}
	return true
}

// orders maps names to sort orders. Each puts the most interesting run first.
func orders() map[string]func(a, b *Row) int {
	by := func(figure func(*Row) int64) func(a, b *Row) int {
		return func(a, b *Row) int { return cmp.Compare(figure(b), figure(a)) }
	}
	return map[string]func(a, b *Row) int{
		"when":     by(func(r *Row) int64 { return int64(r.At()) }),
		"messages": by(func(r *Row) int64 { return int64(r.Messages) }),
		"calls":    by(func(r *Row) int64 { return int64(r.Calls) }),
		"tokens":   by(func(r *Row) int64 { n, _ := r.Tokens(); return n }),
		"cost":     func(a, b *Row) int { return cmp.Compare(b.Cost.Amount, a.Cost.Amount) },
		"errors":   by(func(r *Row) int64 { return int64(r.Errors) }),
		"title":    func(a, b *Row) int { return strings.Compare(a.Title.String(), b.Title.String()) },
	}
}

// Orders returns the names that [Sort] accepts.
func Orders() []string {
	var names []string
	for name := range orders() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Order returns the comparison of a name of [Orders], nil for other names.
func Order(by string) func(a, b *Row) int { return orders()[by] }

// Sort sorts rows by a name of [Orders]; ok is false for other names.
func Sort(rows []Row, by string) (ok bool) {
	order := Order(by)
	if order == nil {
		return false
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return order(&a, &b) })
	return true
}

// ParseSince parses a date, a time, or an age: 90m, 12h, 7d, 2w.
func ParseSince(text string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", time.DateTime, time.RFC3339} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	units := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	if n := len(text); n > 1 && units[text[n-1]] > 0 {
		if count, err := strconv.Atoi(text[:n-1]); err == nil && count >= 0 {
			return now.Add(-time.Duration(count) * units[text[n-1]]), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q: use a date (2026-11-21) or an age (90m, 12h, 7d, 2w)", text)
}
