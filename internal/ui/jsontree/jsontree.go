// Package jsontree parses JSON into a flat list of nodes with folding, for a screen that
// shows part of it.
//
// A node refers to the text; nothing is copied or decoded. One text may contain several
// values, as in JSON Lines. The parser uses no recursion. Invalid JSON is an error; the
// package must never panic.
package jsontree

import (
	"errors"
	"fmt"
	"strings"
)

// A Kind is the kind of a JSON value.
type Kind uint8

// The kinds.
const (
	Object Kind = iota
	Array
	String
	Number
	Literal // true, false, null
)

// A Span is a range of bytes of the text.
type Span struct{ From, To int }

// A Node is a JSON value. A member of an object also has a key.
type Node struct {
	Key      Span // with its quotes; empty without a key
	Value    Span
	End      int32 // index after the last descendant
	Children int32 // number of members or elements
	Place    int32 // index in the array or among the values of the text
	Depth    int32
	Kind     Kind
}

// Bounds of a tree.
const (
	MaxNodes = 2_000_000
	MaxDepth = 10_000 // as in encoding/json
)

// A Tree is a text and its nodes. Rows lists the nodes that are not folded away.
type Tree struct {
	Text  string
	Nodes []Node
	shut  map[int32]bool
}

// ErrNone reports a text without any JSON value.
var ErrNone = errors.New("this is no JSON")

// Parse parses the values of a text. An error names the offset of the fault.
func Parse(text string) (*Tree, error) {
	p := parser{text: text, tree: &Tree{Text: text, shut: map[int32]bool{}}}
	for place := int32(0); ; place++ {
		p.space()
		if p.at == len(text) {
			if place == 0 {
				return nil, ErrNone
			}
			return p.tree, nil
		}
		if err := p.value(place); err != nil {
			return nil, err
		}
	}
}

type parser struct {
	text string
	at   int
	tree *Tree
	open []int32 // the enclosing objects and arrays
}

func (p *parser) fail(what string) error {
	return fmt.Errorf("byte %d: %s", p.at, what)
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) peek() byte {
	p.space()
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// value parses one value and everything in it.
func (p *parser) value(place int32) error {
	base := len(p.open)
	if err := p.begin(Span{}, place); err != nil {
		return err
	}
	for len(p.open) > base {
		if err := p.member(); err != nil {
			return err
		}
	}
	return nil
}

// begin parses a scalar, or opens an object or array.
func (p *parser) begin(key Span, place int32) error {
	if len(p.tree.Nodes) >= MaxNodes {
		return p.fail("more values than can be shown as a tree")
	}
	n := Node{Key: key, Place: place, Depth: int32(len(p.open))}
	switch c := p.peek(); {
	case c == '{' || c == '[':
		n.Kind = Object
		if c == '[' {
			n.Kind = Array
		}
		if len(p.open) >= MaxDepth {
			return p.fail("nested too deeply")
		}
		n.Value = Span{p.at, p.at}
		p.at++
		p.open = append(p.open, int32(len(p.tree.Nodes)))
		p.tree.Nodes = append(p.tree.Nodes, n)
		return nil
	case c == '"':
		span, err := p.quoted()
		if err != nil {
			return err
		}
		n.Kind, n.Value = String, span
	default:
		n.Kind, n.Value = p.word()
		if n.Value.From == n.Value.To {
			return p.fail("a value was expected")
		}
	}
	n.End = int32(len(p.tree.Nodes)) + 1
	p.tree.Nodes = append(p.tree.Nodes, n)
	return nil
}

// member parses the next member of the innermost object or array, or its end.
func (p *parser) member() error {
	top := p.open[len(p.open)-1]
	n := &p.tree.Nodes[top]
	closing := byte('}')
	if n.Kind == Array {
		closing = ']'
	}
	if p.peek() == closing {
		p.at++
		n.Value.To, n.End = p.at, int32(len(p.tree.Nodes))
		p.open = p.open[:len(p.open)-1]
		return nil
	}
	place := n.Children
	if place > 0 {
		if p.peek() != ',' {
			return p.fail("a comma or the end was expected")
		}
		p.at++
	}
	n.Children++
	if n.Kind == Array {
		return p.begin(Span{}, place)
	}
	if p.peek() != '"' {
		return p.fail("a key was expected")
	}
	key, err := p.quoted()
	if err != nil {
		return err
	}
	if p.peek() != ':' {
		return p.fail("a colon was expected")
	}
	p.at++
	return p.begin(key, place)
}

func (p *parser) quoted() (Span, error) {
	from := p.at
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\\':
			p.at++
		case c == '"':
			p.at++
			return Span{from, p.at}, nil
		case c == '\n':
			return Span{}, p.fail("a string goes over the end of its line")
		}
	}
	p.at = len(p.text)
	return Span{}, p.fail("a string does not end")
}

// word parses a number or a literal.
func (p *parser) word() (Kind, Span) {
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] >= 'a' && p.text[p.at] <= 'z' || strings.IndexByte("+-.E", p.text[p.at]) >= 0) {
		p.at++
	}
	switch word := p.text[from:p.at]; {
	case word == "true" || word == "false" || word == "null":
		return Literal, Span{from, p.at}
	case word != "" && (word[0] == '-' || word[0] >= '0' && word[0] <= '9'):
		return Number, Span{from, p.at}
	}
	p.at = from
	return Literal, Span{from, from}
}

// Folds reports whether a node has children.
func (t *Tree) Folds(i int) bool { return t.Nodes[i].Children > 0 }

// Shut reports whether a node is folded.
func (t *Tree) Shut(i int) bool { return t.shut[int32(i)] }

// SetShut folds or unfolds a node.
func (t *Tree) SetShut(i int, shut bool) {
	if shut && t.Folds(i) {
		t.shut[int32(i)] = true
	} else {
		delete(t.shut, int32(i))
	}
}

// FoldBelow folds all nodes at depth and below, and unfolds the others.
func (t *Tree) FoldBelow(depth int) {
	clear(t.shut)
	for i := range t.Nodes {
		if int(t.Nodes[i].Depth) >= depth && t.Nodes[i].Children > 0 {
			t.shut[int32(i)] = true
		}
	}
}

// Rows appends the nodes that are not inside a folded node, in order.
func (t *Tree) Rows(rows []int32) []int32 {
	for i := int32(0); int(i) < len(t.Nodes); {
		rows = append(rows, i)
		if t.shut[i] {
			i = t.Nodes[i].End
		} else {
			i++
		}
	}
	return rows
}

// Parent returns the parent of a node, or -1.
func (t *Tree) Parent(i int) int {
	depth := t.Nodes[i].Depth
	for i--; i >= 0; i-- {
		if t.Nodes[i].Depth < depth {
			return i
		}
	}
	return -1
}

// Reveal unfolds all ancestors of a node.
func (t *Tree) Reveal(i int) {
	for p := t.Parent(i); p >= 0; p = t.Parent(p) {
		delete(t.shut, int32(p))
	}
}

// Path returns the path of a node in jq syntax: .usage.input, .calls[2].name
func (t *Tree) Path(i int) string {
	var parts []string
	for ; i >= 0; i = t.Parent(i) {
		n := &t.Nodes[i]
		switch {
		case n.Key.To > n.Key.From:
			parts = append(parts, "."+strings.Trim(t.Text[n.Key.From:n.Key.To], `"`))
		case n.Depth > 0:
			parts = append(parts, fmt.Sprintf("[%d]", n.Place))
		}
	}
	var b strings.Builder
	for k := len(parts) - 1; k >= 0; k-- {
		b.WriteString(parts[k])
	}
	if b.Len() == 0 {
		return "."
	}
	return b.String()
}
