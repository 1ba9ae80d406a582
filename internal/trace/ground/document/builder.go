package document

import (
	"fmt"
	"path/filepath"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/account"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/source"
)

// A Builder is a run in the making.
type Builder struct {
	account.Account
	Keep *source.Arena
	Chat chat.Decoder // keeps texts in Keep
	Run  *model.Run
	Base string // name of the file, for places
}

// New starts a run found in the source at path.
func New(path, format, id string) *Builder {
	keep := &source.Arena{}
	return &Builder{
		Keep: keep, Chat: chat.Decoder{Keep: keep}, Base: filepath.Base(path),
		Run: &model.Run{ID: id, Source: path, Format: format, Status: model.StatusUnknown, Bodies: keep},
	}
}

// Place names a place in the source for a person.
func (d *Builder) Place(what string, args ...any) string {
	return d.Base + ", " + fmt.Sprintf(what, args...)
}

// Add adds a message to a thread and counts it.
func (d *Builder) Add(b *model.ThreadBuilder, m model.Message) int {
	d.Message()
	return b.Add(m)
}

// Document files a record that is no message under a name. Records of one name
// make one document. It returns the reference to the record's text.
func (d *Builder) Document(name, kind string, raw []byte, place string) model.Ref {
	d.Count(model.Records{Documents: 1})
	return d.gather(name, kind, raw, place)
}

// Opaque files a record that was not understood, and warns why.
func (d *Builder) Opaque(name string, raw []byte, place, why string, args ...any) {
	d.Count(model.Records{Opaque: 1})
	d.gather(name, "opaque", raw, place)
	d.Note(model.WarnUnknownRecord, place, "%s: shown as a document", fmt.Sprintf(why, args...))
}

// Skip counts a record that was left out, and warns why.
func (d *Builder) Skip(code model.WarningCode, place, why string, args ...any) {
	d.Count(model.Records{Skipped: 1})
	d.Note(code, place, why, args...)
}

// Damage counts what of a value was lost.
func (d *Builder) Damage(v Value, place string) {
	if v.Torn {
		d.Count(model.Records{Torn: 1})
		d.Note(model.WarnTorn, place, "the record is cut off: it is still being written, or torn; what was whole is shown")
	}
	if v.Rest > 0 {
		d.Skip(model.WarnTrailingData, place, "%d bytes follow the first JSON value and were not read", v.Rest)
	}
}

func (d *Builder) gather(name, kind string, raw []byte, place string) model.Ref {
	ref := d.Chat.JSON(raw, place)
	d.Gather(name, kind, ref)
	return ref
}

// Attach files a JSON value as a document of its own. It counts no record.
func (d *Builder) Attach(name, kind string, raw []byte, place string) {
	d.File(model.Document{Name: name, Kind: kind, Bytes: int64(len(raw)), Body: d.Chat.JSON(raw, place)})
}

// Finish gives the run its threads, warnings, and the times and the title that
// the messages tell where nothing better was recorded.
func (d *Builder) Finish(threads ...*model.Thread) *model.Run {
	run := d.Run
	run.Threads = threads
	d.Fill(run)
	first, last := chat.Times(threads...)
	if run.StartedAt == 0 {
		run.StartedAt = first
	}
	if run.EndedAt == 0 {
		run.EndedAt = last
	}
	chat.AddTitles(run)
	return run
}
