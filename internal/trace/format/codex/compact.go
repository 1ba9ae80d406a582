package codex

import (
	"hash/maphash"
	"slices"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
)

// maxSummary limits the size in bytes of a stored compaction summary.
const maxSummary = 256 << 10

// userBudget is the total size in bytes of the newest user messages that Codex
// keeps in a compaction. It corresponds to 20,000 tokens at Codex's estimate of
// four bytes per token. It applies only if the resulting history is not recorded.
const userBudget = 4 * 20_000

// An edit is the result of a compaction: the units kept and the text added.
type edit struct {
	keep   []int32
	text   string
	reason string
}

// compacted reads a compaction record.
func (x *index) compacted() {
	x.open = -1
	summary := chat.Cut(x.row.String(x.r.message), maxSummary)
	var e *edit
	var detail []model.Detail
	if history := x.r.history; history.Len() > 2 && x.row.Data[history.Start] == '[' {
		e = x.replacementEdit(history, &detail)
		if summary == "" {
			summary = e.text
		}
	} else if summary != "" {
		e = x.summaryEdit(summary)
	}
	if summary != "" {
		detail = append(detail, model.Detail{Key: "summary", Value: summary})
	}
	m := x.lastCompaction()
	if m == nil || !m.event || m.unit != len(x.units) {
		m = x.mark(model.Compaction)
	} else {
		m.mirrored = true
	}
	m.event, m.edit, m.Detail, m.Origin = false, e, detail, x.row.Whole()
}

// replacementEdit returns the edit of a compaction that records its resulting history. Items
// of the history that match an earlier message were kept. The compaction added the other
// items. replacementEdit appends the counts to detail.
func (x *index) replacementEdit(history span, detail *[]model.Detail) *edit {
	type entry struct {
		hash uint64
		text []span
		seal bool
	}
	raw := x.row.Data[history.Start:history.End]
	var list []entry
	var r record
	p := &r.payload
	s := jsontext.New(raw)
	s.Array(func() {
		r.reset()
		r.inner.Read(s)
		one := entry{hash: x.hash(raw, p), seal: p.encrypted.Len() > 2}
		if items[jsontext.Unquote(raw, p.kind)].is == isMessage {
			one.text = words(raw, p)
		}
		list = append(list, one)
	})
	e := &edit{reason: "the record holds the history that took the place of the earlier messages"}
	used := map[uint64]int{}
	kept := map[int32]bool{}
	var added []string
	sealed := false
	for _, one := range slices.Backward(list) {
		units := x.byHash[one.hash]
		n := len(units) - used[one.hash]
		for n > 0 && x.units[units[n-1]].gone {
			n--
			used[one.hash]++
		}
		if n > 0 {
			used[one.hash]++
			kept[units[n-1]] = true
			continue
		}
		sealed = sealed || one.seal && one.text == nil
		for _, text := range slices.Backward(one.text) {
			if s := jsontext.Unquote(raw, text); s != "" {
				added = append(added, s)
			}
		}
	}
	slices.Reverse(added)
	e.text = chat.Cut(strings.Join(added, "\n\n"), maxSummary)
	if e.text == "" && sealed {
		e.text = "[a summary the record holds only encrypted]"
	}
	for u := range kept {
		e.keep = append(e.keep, u)
	}
	slices.Sort(e.keep)
	*detail = append(*detail,
		model.Detail{Key: "replacement_items", Value: int64(len(list))}, model.Detail{Key: "kept", Value: int64(len(e.keep))})
	return e
}

// summaryEdit returns the edit of a compaction that records only a summary. The edit
// keeps the units before the first prompt and the newest prompts.
func (x *index) summaryEdit(summary string) *edit {
	e := &edit{text: summary, reason: "the record holds the summary; the program keeps what stood before the first prompt and the newest prompts"}
	budget := int64(userBudget)
	first := len(x.units)
	for u := len(x.units) - 1; u >= 0; u-- {
		if !x.units[u].prompt || x.units[u].gone {
			continue
		}
		first = u
		if budget > 0 {
			e.keep = append(e.keep, int32(u))
		}
		budget -= x.units[u].msg.StoredBytes()
	}
	for u := range first {
		if !x.units[u].gone && x.units[u].reply < 0 {
			e.keep = append(e.keep, int32(u))
		}
	}
	slices.Sort(e.keep)
	return e
}

// remember stores the hash of the current item, which becomes unit u.
// [index.replacementEdit] later finds the unit by this hash.
func (x *index) remember(u int32) {
	h := x.hash(x.row.Data, &x.r.payload)
	x.byHash[h] = append(x.byHash[h], u)
}

// hash returns a hash of an item's content: the role and texts of a message, the id of
// a call or result, or the encrypted text of reasoning.
func (x *index) hash(buf []byte, p *payload) uint64 {
	var h maphash.Hash
	h.SetSeed(x.seed)
	write := func(at span) {
		if !at.Absent() {
			h.Write(buf[at.Start:at.End])
		}
		h.WriteByte(0)
	}
	write(p.kind)
	switch items[jsontext.Unquote(buf, p.kind)].is {
	case isMessage:
		write(p.role)
		for _, text := range texts(p) {
			write(text)
		}
	case isReasoning:
		write(p.encrypted)
		for _, text := range texts(p) {
			write(text)
		}
	default:
		write(p.callID)
		if p.callID.Len() <= 2 {
			write(p.id)
			write(p.args)
		}
	}
	return h.Sum64()
}

// words returns the spans of a message's texts in buf, without images and files.
func words(buf []byte, p *payload) []span {
	if !p.text.Absent() {
		return []span{p.text}
	}
	var list []span
	for i := range p.parts {
		if kind := jsontext.Unquote(buf, p.parts[i].kind); kind == "" || strings.HasSuffix(kind, "text") {
			list = append(list, p.parts[i].text)
		}
	}
	return list
}

// texts returns the spans of an item's strings. Unlike [words], it includes those of images and
// files.
func texts(p *payload) []span {
	if !p.text.Absent() {
		return []span{p.text}
	}
	var list []span
	for i := range p.parts {
		if !p.parts[i].text.Absent() {
			list = append(list, p.parts[i].text)
		}
	}
	return list
}
