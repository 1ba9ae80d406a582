// Package account keeps what a reader has to account for: what became of each
// record, the documents, and the warnings. Every family's run ends in
// [Account.Fill], so that its figures add up in one place and its warnings are
// counted in one way.
//
// Who stands on it: ledger (lines by position), rows (databases), draft (what
// fits in memory), and the readers that do all by themselves: claudecode, flujo
// and wink.
//
// It must never decide what a record means: that is the business of its reader.
package account

import (
	"fmt"

	"agentlens/internal/model"
)

// An Account is that of one run. The zero value is an empty one.
type Account struct {
	records  model.Records
	docs     []model.Document
	gathered map[string]int // documents that gather records, by name, as places in docs
	warnings []model.Warning
	codes    map[string]*code
}

// A code is what is known of the warnings of one code.
type code struct {
	n    int    // how many there were
	at   int    // place of the latest that is listed
	last string // where the latest was
	once bool   // they are listed as one
}

// Count adds records by what became of them. How many were read is their sum.
func (a *Account) Count(r model.Records) {
	a.records.Read += r.Messages + r.Documents + r.Opaque + r.Torn + r.Skipped
	a.records.Messages += r.Messages
	a.records.Documents += r.Documents
	a.records.Opaque += r.Opaque
	a.records.Torn += r.Torn
	a.records.Skipped += r.Skipped
}

// Message counts a record that is, or is part of, a message.
func (a *Account) Message() { a.Count(model.Records{Messages: 1}) }

// File adds a document as it is. It counts no record.
func (a *Account) File(d model.Document) { a.docs = append(a.docs, d) }

// Gather adds a record to the document that gathers those of its name. It counts
// no record.
func (a *Account) Gather(name, kind string, body model.Ref) {
	i, ok := a.gathered[name]
	if !ok {
		if a.gathered == nil {
			a.gathered = map[string]int{}
		}
		a.gathered[name] = len(a.docs)
		a.File(model.Document{Name: name, Kind: kind, Bytes: int64(body.Len), Body: body})
		return
	}
	a.docs[i].Bytes += int64(body.Len)
	a.docs[i].More = append(a.docs[i].More, body)
}

// Document counts a record that is no message, and gathers it under its name.
func (a *Account) Document(name, kind string, body model.Ref) {
	a.Count(model.Records{Documents: 1})
	a.Gather(name, kind, body)
}

// Unknown counts a record of an unknown kind, gathers it under its name, and warns
// once of them all.
func (a *Account) Unknown(name string, body model.Ref, where string) {
	if name == "" {
		name = "without a type"
	}
	a.Count(model.Records{Opaque: 1})
	a.Warn("unknown-record", "records of a kind lens does not know are kept as documents, the first: "+name, where)
	a.Gather(name+" records", "opaque", body)
}

func (a *Account) code(name string) *code {
	c := a.codes[name]
	if c == nil {
		if a.codes == nil {
			a.codes = map[string]*code{}
		}
		c = &code{}
		a.codes[name] = c
	}
	c.n++
	return c
}

func (a *Account) list(c *code, w model.Warning) {
	c.at = len(a.warnings)
	a.warnings = append(a.warnings, w)
}

// Warn counts warnings of one code as one: the first one's words and place are
// kept. It is for what may happen at any of very many records.
func (a *Account) Warn(code, message, where string) {
	if c := a.code(code); c.n == 1 {
		c.once = true
		a.list(c, model.Warning{Code: code, Message: message, Where: where})
	}
}

// perCode is how many warnings of one code are listed one by one.
const perCode = 10

// Note lists a warning that has words of its own. Those of one code that are too
// many to read are counted in one.
func (a *Account) Note(code, where, format string, args ...any) {
	c := a.code(code)
	c.last = where
	if c.n <= perCode {
		a.list(c, model.Warning{Code: code, Message: fmt.Sprintf(format, args...), Where: where})
	}
}

// Fill gives a run its records, documents and warnings.
func (a *Account) Fill(run *model.Run) {
	run.Records, run.Documents, run.Warnings = a.records, a.docs, nil
	for _, i := range a.gathered {
		if d := &a.docs[i]; len(d.More) > 0 {
			d.Name = fmt.Sprintf("%s (%d)", d.Name, len(d.More)+1)
		}
	}
	for i, w := range a.warnings {
		c := a.codes[w.Code]
		if c.once && c.n > 1 {
			w.Message = fmt.Sprintf("%s (%d times)", w.Message, c.n)
		}
		run.Warnings = append(run.Warnings, w)
		if !c.once && c.at == i && c.n > perCode {
			run.Warnings = append(run.Warnings, model.Warning{
				Code: w.Code, Where: c.last,
				Message: fmt.Sprintf("and %d more of this kind, the last of them here", c.n-perCode),
			})
		}
	}
}
