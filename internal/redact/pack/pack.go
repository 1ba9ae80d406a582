package pack

import (
	_ "embed"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

//go:embed lens.toml
var own string

// A file is a list of rules in the TOML of gitleaks. Any, level and check are
// ours: several expressions of one rule, the level it begins to work at
// ("strict"), and a further test by name.
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

// generic is the rule of gitleaks whose allow-lists assign.go of package redact uses.
const generic = "generic-api-key"

// Rules of the gitleaks pack that are done better in package redact: by hand
// (assign.go, keyblock.go, kubernetes.go), or in lens.toml: without a scan over many
// lines, or with a look at where the token ends.
var replaced = []string{
	generic, "private-key", "kubernetes-secret-yaml", "jwt",
	"curl-auth-header", "curl-auth-user", "hashicorp-tf-password",
	"slack-webhook-url", "gitlab-scim-token", "gitlab-rrt", "gitlab-incoming-mail-token", "gitlab-oauth-app-secret",
}

// A Table is what both packs say, ready to be used. Rules stand in the order of
// their rank.
type Table struct {
	Rules   []Rule
	Allows  []Allow
	Generic []int // allow-lists of generic-api-key, as numbers of Allows
}

// A Rule is one expression of a rule.
type Rule struct {
	ID       string
	Expr     string   // as it is to be compiled
	Words    []string // lower case; one of them is in every match
	Anchored bool     // every match begins with one of Words
	Boundary bool     // and only at a word boundary
	Group    int      // capture group of the secret; 0 is the first that took part
	Entropy  float64  // bits per byte a secret must have more than; 0 is no demand
	Strict   bool     // for the strict level only
	Check    string   // name of a further test; "" is none
	Allow    []int    // numbers of Allows
}

// An Allow names finds that are no secrets. A find is one where Expr matches its
// target or one of Stops is in it; where Both holds, only where both do.
type Allow struct {
	Target string // what Expr looks at: "match", "line", or "" for the secret
	Both   bool
	Expr   string
	Stops  []string // lower case
}

// Load reads both packs.
func Load() (Table, error) {
	var t Table
	if err := t.read("lens.toml", own, nil); err != nil {
		return t, err
	}
	return t, t.read("gitleaks.toml", config.DefaultConfig, replaced)
}

// read adds the rules of a file, without those left out.
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

// mended is an allow-list without the expression that would allow every secret
// with "false" in it.
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

// exprs lists the expressions of a rule; a rule about file names has none.
func (f *fileRule) exprs() []string {
	if f.Regex == "" {
		return f.Any
	}
	return []string{f.Regex}
}

// newRule prepares a rule whose matches hold one of keywords.
func newRule(id, expr string, keywords []string) (Rule, error) {
	h, err := parseHead(expr)
	if err != nil {
		return Rule{}, fmt.Errorf("redaction rule %s: %w; mend its regex", id, err)
	}
	r := Rule{ID: id, Expr: expr, Words: keywords}
	if words := anchors(h.leads, keywords); len(words) > 0 {
		r.Words, r.Anchored, r.Boundary = words, true, h.boundary
		r.Expr = `\A(?:` + h.tree.String() + `)`
	}
	if len(r.Words) == 0 {
		return r, fmt.Errorf("redaction rule %s: no keywords; add one that every match holds", id)
	}
	return r, nil
}

// anchors picks the words that begin every match: the leads, or the keywords
// where each goes on from a lead and so tells more.
func anchors(leads, keywords []string) []string {
	if len(leads) == 1 && len(keywords) == 1 && strings.HasPrefix(keywords[0], leads[0]) {
		return keywords
	}
	return leads
}

// allows adds allow-lists and gives their numbers. A list that also demands a path
// can never hold: a text has none.
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
