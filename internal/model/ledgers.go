package model

// Ledgers holds the ledgers of the calls of a thread and of the next call, without what the thread holds too. That takes
// less than half of the memory. Nil holds none.
type Ledgers struct {
	t      *Thread
	factor float64
	rows   []ledgerRow
}

type ledgerRow struct {
	messages, restored int64
	head               int64 // or -1 if it is unknown
}

// PackLedgers returns the packed form of ledgers with one factor, the first of which is that of the first call.
func PackLedgers(t *Thread, list []Ledger) *Ledgers {
	p := &Ledgers{t, list[0].Factor, make([]ledgerRow, len(list))}
	for i := range list {
		l := &list[i]
		p.rows[i] = ledgerRow{l.Messages, l.Restored, -1}
		if l.HeadKnown {
			p.rows[i].head = l.Head
		}
	}
	return p
}

// At returns the ledger of a call. ok is false if there is none.
func (p *Ledgers) At(call int) (l Ledger, ok bool) {
	if p == nil || call < 1 || call > len(p.rows) {
		return l, false
	}
	row := &p.rows[call-1]
	l = Ledger{Messages: row.messages, Factor: p.factor, Head: max(0, row.head), HeadKnown: row.head >= 0, Restored: row.restored}
	if call <= len(p.t.Calls) {
		l.Counted, _ = p.t.Calls[call-1].Usage.Prompt()
	}
	l.Explain()
	return l, true
}

// All returns the ledgers of all calls and of the next one.
func (p *Ledgers) All() []Ledger {
	list := make([]Ledger, len(p.rows))
	for i := range list {
		list[i], _ = p.At(i + 1)
	}
	return list
}
