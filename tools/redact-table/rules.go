package main

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

// A file is a list of rules in the TOML of gitleaks. Three fields are ours: any
// (several expressions of one rule), level ("strict") and check (a further test
// by name).
type file struct {
	AllowList  allowList   `toml:"allowlist"`
	AllowLists []allowList `toml:"allowlists"`
	Rules      []fileRule  `toml:"rules"`
}

type fileRule struct {
	ID          string
	Regex       string
	Any         []string // instead of Regex: several expressions of one rule
	SecretGroup int      `toml:"secretGroup"`
	Entropy     float64
	Keywords    []string
	Allowlists  []allowList
	Level       string
	Check       string
}

type allowList struct {
	Condition   string
	RegexTarget string `toml:"regexTarget"`
	Paths       []string
	Regexes     []string
	StopWords   []string `toml:"stopwords"`
}

// generic is the rule of gitleaks whose allow-lists package redact uses in assign.go.
const generic = "generic-api-key"

// replaced names the rules of gitleaks that lens replaces: by code of package redact
// (assign.go, keyblock.go, kubernetes.go), or by rules of lens.toml that scan fewer
// lines or check where the token ends.
var replaced = []string{
	generic, "private-key", "kubernetes-secret-yaml", "jwt",
	"curl-auth-header", "curl-auth-user", "hashicorp-tf-password",
	"slack-webhook-url", "gitlab-scim-token", "gitlab-rrt", "gitlab-incoming-mail-token", "gitlab-oauth-app-secret",
	"pypi-upload-token",
}

// A Table holds the rules of both files, in order of rank.
type Table struct {
	Rules   []Rule
	Allows  []Allow
	Generic []int // allow-lists of generic-api-key, as numbers of Allows
}

// A Rule is one expression of a rule.
type Rule struct {
	ID       string
	Expr     string   // ready to compile
	Words    []string // lower case; one of them is in every match
	Anchored bool     // every match begins with one of Words
	Boundary bool     // and only at a word boundary
	Group    int      // capture group of the secret; 0 means the first that matched
	Entropy  float64  // minimum bits per byte of a secret; 0 means none
	Strict   bool     // strict level only
	Check    string   // name of a further test, or ""
	Allow    []int    // indexes into Allows
}

// An Allow describes finds that are not secrets: Expr matches the target, or the
// find contains one of Stops. With Both, both conditions must hold.
type Allow struct {
	Target string // what Expr is matched against: "match", "line", or "" for the secret
	Both   bool
	Expr   string
	Stops  []string // lower case
}

// load reads the rules of lens from own, and those of gitleaks.
func load(own string) (Table, error) {
	var t Table
	if err := t.read("lens.toml", own, nil); err != nil {
		return t, err
	}
	return t, t.read("gitleaks.toml", config.DefaultConfig, replaced)
}

// read adds the rules of a file except those of without.
func (t *Table) read(name, text string, without []string) error {
	var f file
	if err := toml.Unmarshal([]byte(text), &f); err != nil {
		return fmt.Errorf("redaction rules %s: %w", name, err)
	}
	common, err := t.allows(append([]allowList{mended(f.AllowList)}, f.AllowLists...)...)
	if err != nil {
		return fmt.Errorf("redaction rules %s: %w", name, err)
	}
	for i := range f.Rules {
		if err := t.add(&f.Rules[i], common, without); err != nil {
			return err
		}
	}
	return nil
}

// mended corrects an expression of gitleaks that would allow every secret that
// contains "false".
func mended(l allowList) allowList {
	for i, expr := range l.Regexes {
		if expr == `(?i)^true|false|null$` {
			l.Regexes[i] = `(?i)^(?:true|false|null)$`
		}
	}
	return l
}

func (t *Table) add(f *fileRule, common []int, without []string) error {
	own, err := t.allows(f.Allowlists...)
	if err != nil {
		return fmt.Errorf("redaction rule %s: %w", f.ID, err)
	}
	allow := append(own, common...)
	if f.ID == generic {
		t.Generic = allow
	}
	if slices.Contains(without, f.ID) {
		return nil
	}
	for _, expr := range f.exprs() {
		r, err := newRule(f.ID, expr, lower(f.Keywords))
		if err != nil {
			return err
		}
		r.Group, r.Entropy, r.Strict, r.Check, r.Allow = f.SecretGroup, f.Entropy, f.Level == "strict", f.Check, allow
		t.Rules = append(t.Rules, r)
	}
	return nil
}

// exprs lists the expressions of a rule. A rule about file names has none.
func (f *fileRule) exprs() []string {
	if f.Regex == "" {
		return f.Any
	}
	return []string{f.Regex}
}

// newRule prepares a rule whose matches contain one of keywords.
func newRule(id, expr string, keywords []string) (Rule, error) {
	h, err := parseHead(expr)
	if err != nil {
		return Rule{}, fmt.Errorf("redaction rule %s: %w; correct its regex", id, err)
	}
	r := Rule{ID: id, Expr: expr, Words: keywords}
	if words := anchors(h.leads, keywords); len(words) > 0 {
		r.Words, r.Anchored, r.Boundary = words, true, h.boundary
		r.Expr = `\A(?:` + h.tree.String() + `)`
	}
	if len(r.Words) == 0 {
		return r, fmt.Errorf("redaction rule %s: no keywords; add one that every match contains", id)
	}
	return r, nil
}

// anchors returns the words that begin every match: the leads, or a keyword that
// extends the only lead.
func anchors(leads, keywords []string) []string {
	if len(leads) == 1 && len(keywords) == 1 && strings.HasPrefix(keywords[0], leads[0]) {
		return keywords
	}
	return leads
}

// allows adds allow-lists and returns their indexes. It skips a list that also needs
// a path to match: a text has none.
func (t *Table) allows(lists ...allowList) (numbers []int, err error) {
	for _, l := range lists {
		both := strings.EqualFold(l.Condition, "and")
		if both && len(l.Paths) > 0 || len(l.Regexes)+len(l.StopWords) == 0 {
			continue
		}
		a := Allow{Target: l.RegexTarget, Both: both, Stops: lower(l.StopWords)}
		if len(l.Regexes) > 0 {
			a.Expr = "(?:" + strings.Join(l.Regexes, ")|(?:") + ")"
			if _, err := syntax.Parse(a.Expr, syntax.Perl); err != nil {
				return nil, fmt.Errorf("allow-list: %w", err)
			}
		}
		numbers = append(numbers, len(t.Allows))
		t.Allows = append(t.Allows, a)
	}
	return numbers, nil
}

func lower(words []string) []string {
	low := make([]string, len(words))
	for i, w := range words {
		low[i] = strings.ToLower(w)
	}
	return low
}
