package main

import (
	"regexp/syntax"
	"slices"
	"strings"
)

const (
	maxLeads   = 64 // an expression with more literals has no leads
	maxLeadLen = 14
)

// A head describes the beginning of an expression.
type head struct {
	leads    []string       // lower-case literals, one of which begins every match; nil when unknown
	boundary bool           // a match begins at a word boundary
	tree     *syntax.Regexp // the expression without an optional beginning
}

// parseHead removes an optional beginning from an expression and lists the
// literals that its matches then begin with.
func parseHead(expr string) (head, error) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return head{}, err
	}
	re = dropOptional(re)
	h := head{boundary: startsAtBoundary(re), tree: re}
	leads, _ := leadsOf(re)
	for _, l := range leads {
		if l == "" || len(l) == 1 && isWord(l[0]) { // occurs everywhere
			return h, nil
		}
	}
	h.leads = leads
	return h, nil
}

// dropOptional removes an optional beginning. Matches get shorter, the secrets in
// them do not.
func dropOptional(re *syntax.Regexp) *syntax.Regexp {
	switch re.Op {
	case syntax.OpConcat:
		for len(re.Sub) > 1 && optional(re.Sub[0]) {
			re.Sub = re.Sub[1:]
		}
		re.Sub[0] = dropOptional(re.Sub[0])
	case syntax.OpAlternate:
		for i := range re.Sub {
			re.Sub[i] = dropOptional(re.Sub[i])
		}
	}
	return re
}

func optional(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpStar, syntax.OpQuest:
	case syntax.OpRepeat:
		if re.Min > 0 {
			return false
		}
	default:
		return false
	}
	return re.MaxCap() == 0
}

func startsAtBoundary(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpWordBoundary:
		return true
	case syntax.OpConcat, syntax.OpCapture:
		return startsAtBoundary(re.Sub[0])
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !startsAtBoundary(sub) })
	}
	return false
}

// leadsOf lists the lower-case literals that matches of re begin with, and reports
// whether they are whole matches.
func leadsOf(re *syntax.Regexp) (leads []string, whole bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary:
		return []string{""}, true
	case syntax.OpLiteral:
		return literal(string(re.Rune))
	case syntax.OpCharClass:
		return classLeads(re.Rune)
	case syntax.OpCapture:
		return leadsOf(re.Sub[0])
	case syntax.OpConcat:
		return concatLeads(re.Sub)
	case syntax.OpAlternate:
		return alternateLeads(re.Sub)
	}
	return []string{""}, false
}

func literal(s string) ([]string, bool) {
	s = strings.ToLower(s)
	for i := range len(s) {
		if s[i] >= 0x80 {
			return []string{s[:i]}, false
		}
	}
	return []string{s}, true
}

func classLeads(ranges []rune) ([]string, bool) {
	var leads []string
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if r >= 0x80 && r != '\u017f' && r != '\u212a' || len(leads) > maxLeads {
				return []string{""}, false
			}
			if r < 0x80 {
				leads = addLead(leads, strings.ToLower(string(r)))
			}
		}
	}
	return leads, len(leads) > 0
}

func concatLeads(subs []*syntax.Regexp) ([]string, bool) {
	leads := []string{""}
	for _, sub := range subs {
		tails, whole := leadsOf(sub)
		if len(leads)*len(tails) > maxLeads {
			return leads, false
		}
		var longer []string
		for _, l := range leads {
			for _, t := range tails {
				longer = addLead(longer, cut(l+t))
			}
		}
		leads = longer
		if !whole || len(leads[0]) >= maxLeadLen {
			return leads, false
		}
	}
	return leads, true
}

func alternateLeads(subs []*syntax.Regexp) ([]string, bool) {
	var leads []string
	whole := true
	for _, sub := range subs {
		some, all := leadsOf(sub)
		for _, l := range some {
			leads = addLead(leads, l)
		}
		whole = whole && all
	}
	if len(leads) > maxLeads {
		return []string{""}, false
	}
	return leads, whole
}

func addLead(leads []string, l string) []string {
	if slices.Contains(leads, l) {
		return leads
	}
	return append(leads, l)
}

func cut(s string) string { return s[:min(len(s), maxLeadLen)] }

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
