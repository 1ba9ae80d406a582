package sharegpthf

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/document"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/source"
)

const name = "sharegpt-hf"

// Format describes ShareGPT and chat data sets.
func Format() source.Format {
	return source.Format{
		Name: name, Title: "ShareGPT and chat data sets", Proven: "genuine files",
		Places: []string{"data sets for training (.json, .jsonl)"},
		Sniff:  sniff, Open: open,
	}
}

func sniff(f *source.File) bool {
	if first := f.First(); first != '[' && first != '{' {
		return false
	}
	v, err := document.Parse(f.Head)
	if err != nil {
		return false
	}
	if list := members.Array(v.JSON); len(list) > 0 {
		return isRow(members.Parse(list[0]), true)
	}
	return isRow(members.Parse(v.JSON), false)
}

// isRow reports whether o is a row with a conversation. If listed is set, o is an
// element of a list and may hold bare messages.
func isRow(o members.Object, listed bool) bool {
	if _, ok := columnsOf(o); ok {
		return true
	}
	if o == nil || isForeign(o) {
		return false
	}
	if list := o.Array("conversations"); len(list) > 0 {
		return isTurn(members.Parse(list[0]))
	}
	if isPreference(o) {
		return true
	}
	list := o.Array("messages")
	if len(list) == 0 || !isTurn(members.Parse(list[0])) {
		return false
	}
	if listed || o.HasAny("images", "videos", "audios") {
		return true
	}
	for _, raw := range list {
		for _, part := range members.Parse(raw).Array("content") {
			if members.Parse(part).HasAny("value") {
				return true
			}
		}
	}
	return false
}

// isForeign reports whether o is a row of another format that holds messages.
func isForeign(o members.Object) bool {
	return o.HasAny("custom_id", "request", "response", "choices", "usage", "sessionId", "uuid", "projectHash", "history", "info",
		"trajectory", "trajectory_format", "schema_version", "run_type", "observations", "contents", "system_instruction", "input")
}

func isTurn(o members.Object) bool {
	return o.Text("from") != "" && o.Has("value") || o.Text("role") != "" && o.HasAny("content", "tool_calls")
}

// isPreference reports whether o is a row with a preferred and a rejected answer.
func isPreference(o members.Object) bool {
	if !o.Has("chosen") || !o.Has("rejected") {
		return false
	}
	for _, key := range []string{"chosen", "rejected"} {
		raw := o.Raw(key)
		switch list := members.Array(raw); {
		case len(list) > 0:
			if !isTurn(members.Parse(list[0])) {
				return false
			}
		case len(raw) > 0 && raw[0] == '"':
			if !o.HasAny("prompt", "question", "conversations", "messages") {
				return false
			}
		case !isTurn(members.Parse(raw)):
			return false
		}
	}
	return true
}

type reader struct {
	file *source.File
	ix   index
}

func open(ctx context.Context, f *source.File) (source.Reader, error) {
	r := &reader{file: f, ix: index{byID: map[string]int{}}}
	if err := r.ix.build(ctx, f); err != nil {
		return nil, err
	}
	if len(r.ix.rows) == 0 {
		return nil, &source.UnreadableError{Path: f.Path, Err: fmt.Errorf("none of the %d rows holds a conversation", len(r.ix.lost))}
	}
	return r, nil
}

// List returns the rows.
func (r *reader) List(context.Context) ([]source.Entry, error) {
	entries := make([]source.Entry, len(r.ix.rows))
	for i := range r.ix.rows {
		entries[i] = source.Entry{ID: r.id(i), Title: r.ix.rows[i].title, Status: model.StatusUnknown}
	}
	return entries, nil
}

// id returns the recorded id of row i or, if it has none, an id made from the row
// number.
func (r *reader) id(i int) string {
	row := &r.ix.rows[i]
	switch {
	case row.id != "":
		return row.id
	case len(r.ix.rows) == 1:
		return r.file.Stem()
	}
	return rowPrefix + strconv.Itoa(row.number)
}

const rowPrefix = "row-"

// find returns the index of the row with the given id, or -1.
func (r *reader) find(id string) int {
	if i, ok := r.ix.byID[id]; ok {
		return i
	}
	if len(r.ix.rows) == 1 && (id == "" || id == r.id(0)) {
		return 0
	}
	number, err := strconv.Atoi(strings.TrimPrefix(id, rowPrefix))
	if err != nil {
		return -1
	}
	i := r.ix.numbered(number)
	if i < 0 || r.id(i) != id {
		return -1
	}
	return i
}

// Load reads one row. An empty id selects the only one.
func (r *reader) Load(_ context.Context, id string, _ source.Options) (*model.Run, error) {
	i := r.find(id)
	if i < 0 {
		return nil, &source.UnreadableError{Path: r.file.Path, Err: fmt.Errorf("no row %q among the %d of the file", id, len(r.ix.rows))}
	}
	row := r.ix.rows[i]
	data, err := r.file.Again(row.off, row.len, "")
	if err != nil {
		return nil, err
	}
	v, err := document.Parse(data)
	if err != nil {
		return nil, &source.UnreadableError{Path: r.file.Path, Where: fmt.Sprintf("row %d", row.number), Err: err}
	}
	l := &loader{Builder: document.New(r.file.Path, name, r.id(i)), where: fmt.Sprintf("row %d", row.number)}
	l.row(members.Parse(v.JSON))
	r.lost(l.Builder)
	return l.finish(), nil
}

// lost reports the rows that could not be read.
func (r *reader) lost(d *document.Builder) {
	for _, row := range r.ix.lost {
		place := d.Place("row %d", row.number)
		if row.torn {
			d.Damage(document.Value{Torn: true}, place)
			continue
		}
		d.Skip(model.WarnNoConversation, place, "the row holds no conversation and was not read")
	}
}

// text returns a string value as text, and any other value as JSON.
func text(raw json.RawMessage) string { return document.Plain(raw) }
