package places

import (
	"encoding/binary"
	"math"
	"slices"

	"agentlens/internal/curate/money"
	"agentlens/internal/model"
)

// blockLen is the number of messages that are decoded together.
const blockLen = 64

// A Record collects the places of the runs of a file while they are read.
type Record struct {
	plain func(text string) bool
	files []file // the first is the file itself
	runs  []run
	unfit bool
}

// A run is the compact form of a run, in two parts.
type run struct{ names, rest []byte }

// A file is a file of the runs. It is used if texts of messages are in it.
type file struct {
	path string
	used bool
}

// NewRecord returns the record of a file. plain reports whether an id, a title or a name of a tool may be stored: it
// must reject those with a secret. A run with such a name is not kept.
func NewRecord(path string, plain func(text string) bool) *Record {
	return &Record{plain: plain, files: []file{{path: path}}}
}

// Add adds a run with its cost.
func (r *Record) Add(of *model.Run, cost money.Sum) {
	stored, inFiles := of.Bodies.(interface{ Stored(model.Ref) string })
	if !inFiles || of.Source != r.files[0].path {
		r.unfit = true
	}
	if r.unfit {
		return
	}
	p := &packer{record: r, stored: stored.Stored, sources: map[uint16]int{}, names: map[string]int{}}
	for _, text := range []string{of.ID, of.Title, of.Format} {
		p.name(text)
	}
	p.number(int64(cost.Amount))
	for _, n := range cost.Counts() {
		p.count(*n)
	}
	p.count(len(of.Threads))
	for _, t := range of.Threads {
		p.name(t.ID)
		p.thread(t)
	}
	out := &encoder{}
	out.count(len(p.list))
	for _, name := range p.list {
		r.unfit = r.unfit || !r.plain(name)
		out.text(name)
	}
	r.runs = append(r.runs, run{out.b, p.b})
}

// file returns the number of a file.
func (r *Record) file(path string) int {
	i := slices.IndexFunc(r.files, func(f file) bool { return f.path == path })
	if i < 0 {
		i = len(r.files)
		r.files = append(r.files, file{path: path})
	}
	return i
}

// A packer writes the places of one run. Names are numbers of a list.
type packer struct {
	encoder
	record  *Record
	stored  func(model.Ref) string
	sources map[uint16]int // source of the run → number of the file
	names   map[string]int
	list    []string
	last    position
}

// A position is what the next message is stored relative to. Each block begins with the zero position.
type position struct {
	call int64
	at   int64
	end  int64 // of a text
	file int
}

func (p *packer) name(text string) {
	i, ok := p.names[text]
	if !ok {
		i = len(p.list)
		p.names[text] = i
		p.list = append(p.list, text)
	}
	p.count(i)
}

// thread writes the number of messages, and each block with its length.
func (p *packer) thread(t *model.Thread) {
	failed, _ := t.Failed()
	p.count(t.Len())
	p.b = slices.Grow(p.b, usualMessage*t.Len())
	whole, block := p.b, []byte(nil)
	for i := range t.Len() {
		if i%blockLen == 0 {
			p.b, p.last = block[:0], position{}
		}
		if len(failed) > 0 && failed[0] < int32(i) {
			failed = failed[1:]
		}
		p.message(t.At(i), t.CallOf(i), len(failed) > 0 && failed[0] == int32(i))
		if i%blockLen == blockLen-1 || i == t.Len()-1 {
			block = p.b
			whole = append(binary.AppendUvarint(whole, uint64(len(block))), block...)
		}
	}
	p.b = whole
}

// usualMessage is the size of most messages in bytes.
const usualMessage = 14

// The bits of a message: its role, and what follows. The number of its parts is above them.
const (
	roleBits = 3
	timeBit  = 1 << (iota + 1)
	milliBit // the time is in milliseconds
	failedBit
	callsBit
	partsShift = iota + 1
)

// message writes a message. It leaves out what is not searched: images, files, and what is recorded encrypted.
func (p *packer) message(m *model.Message, call int, failed bool) {
	bits, at := uint64(m.Role), int64(m.At)
	if at != 0 {
		bits |= timeBit
	}
	if at%milli == 0 {
		bits |= milliBit
	}
	if failed {
		bits |= failedBit
	}
	if len(m.Calls) > 0 {
		bits |= callsBit
	}
	parts := 0
	for i := range m.Parts {
		if searched(&m.Parts[i]) {
			parts++
		}
	}
	p.b = binary.AppendUvarint(p.b, bits|uint64(parts)<<partsShift)
	p.number(int64(call) - p.last.call)
	p.last.call = int64(call)
	if at != 0 {
		unit := unitOf(bits)
		p.number(at/unit - p.last.at/unit)
		p.last.at = at
	}
	p.name(m.ToolName)
	for i := range m.Parts {
		if part := &m.Parts[i]; searched(part) {
			p.text(part.Body, part.Kind == model.Thinking)
		}
	}
	if len(m.Calls) > 0 {
		p.count(len(m.Calls))
	}
	for i := range m.Calls {
		p.name(m.Calls[i].Name)
		p.text(m.Calls[i].Args, m.Calls[i].Failed)
	}
}

// milli is a millisecond in nanoseconds.
const milli = 1e6

// unitOf returns the unit of the time of a message.
func unitOf(bits uint64) int64 {
	if bits&milliBit != 0 {
		return milli
	}
	return 1
}

func searched(p *model.Part) bool { return p.Kind <= model.Thinking && !p.Sealed }

// The bits of a text. Its form is above them.
const (
	markBit = 1 << iota // thinking, or the arguments of a failed call
	noneBit
	otherBit  // in another file than the text before
	formShift = iota
)

// text writes the place of a text.
func (p *packer) text(r model.Ref, marked bool) {
	bits := uint64(r.Form) << formShift
	if marked {
		bits |= markBit
	}
	if r.None() {
		p.b = binary.AppendUvarint(p.b, bits|noneBit)
		return
	}
	file, ok := p.sources[r.Source]
	if !ok {
		file = p.record.file(p.stored(r))
		p.sources[r.Source] = file
		p.record.files[file].used = true
	}
	if file != p.last.file {
		bits |= otherBit
	}
	p.b = binary.AppendUvarint(p.b, bits)
	if file != p.last.file {
		p.count(file)
	}
	p.number(r.Off - p.last.end)
	p.b = binary.AppendUvarint(p.b, uint64(r.Len))
	p.last.end, p.last.file = r.Off+int64(r.Len), file
	p.record.unfit = p.record.unfit || r.Off < 0 || r.Off > math.MaxInt64-math.MaxUint32
}
