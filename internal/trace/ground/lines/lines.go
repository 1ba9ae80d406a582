// Package lines reads JSON Lines by position: it counts what each line became and
// keeps the position of each value. The formats codex, copilot-cli, cursor,
// gemini-cli and pi use it for files of any size.
//
// It must never keep a text in memory, nor decide what a record means: that is the
// reader's task.
package lines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/account"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/source"
)

// A Builder builds the run of one source.
type Builder struct {
	account.Account
	File *source.File

	read  int // records read, inside rows too
	names map[string]string
}

// New returns a builder for f.
func New(f *source.File) *Builder {
	return &Builder{File: f, names: map[string]string{}}
}

// A Row is one trimmed line. Data begins at offset Off of the file.
type Row struct {
	Data []byte
	Off  int64
	line source.Line
}

// padding is trimmed from the end of a line: white space, and the zero bytes that
// file systems append to a file after a crash.
const padding = " \t\r\n\x00"

// Row counts a line. A blank line is not a record.
func (b *Builder) Row(l source.Line) (row Row, ok bool) {
	data := bytes.TrimRight(l.Data, padding)
	if l.Off == 0 {
		data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	}
	data = bytes.TrimLeft(data, " \t\r\n")
	if len(data) == 0 {
		return Row{}, false
	}
	b.read++
	end := len(bytes.TrimRight(l.Data, padding))
	return Row{Data: data, Off: l.Off + int64(end-len(data)), line: l}, true
}

// Whole counts a source that is one JSON value.
func (b *Builder) Whole(data []byte) Row {
	b.read++
	data = bytes.TrimRight(data, padding)
	rest := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	return Row{Data: rest, Off: int64(len(data) - len(rest))}
}

// Within counts a record inside a row.
func (b *Builder) Within() { b.read++ }

// Sub returns a value inside the row as a row. It is not counted.
func (r Row) Sub(at jsontext.Span) Row {
	return Row{Data: r.Data[at.Start:at.End], Off: r.Off + int64(at.Start), line: r.line}
}

// Ref returns a reference to a span of the row.
func (r Row) Ref(span jsontext.Span, form model.Form) model.Ref {
	if span.Absent() || form == model.JSONString && span.Len() <= 2 {
		return model.Ref{}
	}
	return model.Ref{Off: r.Off + int64(span.Start), Len: uint32(span.Len()), Form: form}
}

// Text returns a reference to a JSON string of the row.
func (r Row) Text(span jsontext.Span) model.Ref { return r.Ref(span, model.JSONString) }

// Value returns a reference to a JSON value of the row, as a text if it is a string.
func (r Row) Value(span jsontext.Span) model.Ref {
	if span.Len() > 0 && r.Data[span.Start] == '"' {
		return r.Text(span)
	}
	return r.Ref(span, model.JSONValue)
}

// Whole returns a reference to the whole row.
func (r Row) Whole() model.Ref {
	return r.Ref(jsontext.Span{End: len(r.Data)}, model.JSONValue)
}

// String decodes a short JSON string of the row.
func (r Row) String(span jsontext.Span) string { return jsontext.Unquote(r.Data, span) }

// Time parses a JSON string of the row as a time. It returns 0 for other values.
func (r Row) Time(span jsontext.Span) model.Time {
	if span.Absent() {
		return 0
	}
	return model.ParseTime(r.String(span))
}

// Sound reports whether the strings of the row can be decoded. A lenient scan checks
// neither their escapes nor their control characters.
func (r Row) Sound() bool {
	if !jsontext.Escapes(r.Data) {
		return false
	}
	for _, c := range r.Data {
		if c < ' ' {
			return json.Valid(r.Data)
		}
	}
	return true
}

// Name decodes a short JSON string that many rows repeat, and stores it once.
func (b *Builder) Name(r Row, span jsontext.Span) string {
	if span.Len() <= 2 {
		return ""
	}
	raw := r.Data[span.Start:span.End]
	if s, ok := b.names[string(raw)]; ok {
		return s
	}
	s := r.String(span)
	b.names[string(raw)] = s
	return s
}

// Broken counts a row that is not a JSON object. The last line counts as torn if it has no
// newline; other rows count as skipped.
func (b *Builder) Broken(r Row) {
	where := fmt.Sprintf("%s, line %d", b.File.Path, r.line.Number)
	if r.line.Open {
		b.Count(model.Records{Torn: 1})
		b.Warn(model.WarnTorn, "the last line is cut: still being written, or torn", where)
		return
	}
	b.Count(model.Records{Skipped: 1})
	var v json.RawMessage // used only for its error
	err := json.Unmarshal(r.Data, &v)
	if err == nil {
		err = errors.New("a JSON object was expected")
	}
	b.Warn(model.WarnUnreadableRecord, "a line could not be read: "+err.Error(), where)
	b.Gather("broken lines", "opaque", r.Ref(jsontext.Span{End: len(r.Data)}, model.Plain))
}

// Opaque keeps a record of an unknown kind and adds one warning for all of them.
func (b *Builder) Opaque(name string, body model.Ref) { b.Unknown(name, body, b.Where(body)) }

// Repeated counts a record that occurs twice in the file.
func (b *Builder) Repeated(body model.Ref) {
	b.Count(model.Records{Skipped: 1})
	b.Warn(model.WarnRepeatedRecord, "records that occur twice in the file were read once", b.Where(body))
}

// Where describes the position of a span of the file.
func (b *Builder) Where(r model.Ref) string { return source.Files{b.File}.Where(r) }

// Fill sets the texts, records, documents, warnings, times and titles of a run. The number of records read
// counts rows, so the totals reveal a row without a result.
func (b *Builder) Fill(run *model.Run) {
	b.Account.Fill(run)
	run.Source, run.Bodies, run.Records.Read = b.File.Path, source.Files{b.File}, b.read
	chat.AddTimes(run)
	chat.AddTitles(run)
	if run.ID == "" {
		run.ID = b.File.Stem()
	}
	if run.Status == "" {
		run.Status = model.StatusUnknown
	}
}

// headLen is the number of bytes of a large file that the first screen uses.
const headLen = 1 << 20

// Each calls yield for every sound row of the file. With headOnly it stops after the head,
// but yields at least the first row. The head suffices to list the run and to draw a first
// screen.
func (b *Builder) Each(ctx context.Context, headOnly bool, opt source.Options, yield func(Row)) error {
	return b.File.EachLine(ctx, 0, 0, func(l source.Line) bool {
		if row, ok := b.Row(l); ok && row.Sound() {
			yield(row)
		} else if ok {
			b.Broken(row)
		}
		if opt.Progress != nil && l.Number&1023 == 0 {
			opt.Progress(l.Off, b.File.Size())
		}
		return !headOnly || l.Off+int64(len(l.Data)) < headLen
	})
}
