// Package llm reads the log of the llm command.
//
// Where it lives: what `llm logs path` prints, io.datasette.llm/logs.db in the
// folder for settings. Evidence: the program's own source and documentation; no
// genuine file was at hand.
//
// Two generations of tables may stand in one file. The old one has a row of
// responses for each request; conversations tie them together, and a response
// without one is a run of its own. The new one keeps messages as a tree, each
// named by a hash of itself and all before it: a turn names the last message it
// sent and the last it got, so that what was sent is recorded to the letter.
//
// Traps: prompts may be put together from fragments; results of tools belong to
// the response they were sent with, calls to the one that made them; whether
// input_tokens hold the cached ones depends on the provider, and only the shape
// of token_details tells.
//
// It must never take the old generation's rows for what was sent.
package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/chat/loose"
	"agentlens/internal/trace/ground/rows"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/trace/ground/sqlite"
)

// Format is the row of this family.
func Format() source.Format {
	return source.Format{
		Name:   "llm",
		Title:  "logs of the llm command",
		Proven: "second-hand",
		Places: []string{"${XDG_CONFIG_HOME:-~/.config}/io.datasette.llm/logs.db", "~/Library/Application Support/io.datasette.llm/logs.db"},
		Sniff:  func(f *source.File) bool { return sqlite.Sniff(f, isStore) },
		Open: func(_ context.Context, f *source.File) (source.Reader, error) {
			return &rows.Reader{File: f, Format: "llm", Entries: list, Run: load}, nil
		},
	}
}

func isStore(tx *sqlite.Tx) (bool, error) { return isOld(tx) || isNew(tx), nil }

func isOld(tx *sqlite.Tx) bool {
	return rows.Has(tx, "responses", "id", "model", "prompt", "response", "conversation_id")
}

func isNew(tx *sqlite.Tx) bool {
	return rows.Has(tx, "turns", "id", "thread_id", "tip_message_hash") && rows.Has(tx, "messages", "hash", "parent_hash", "role") &&
		rows.Has(tx, "parts", "message_hash", "type")
}

// list names the threads, the conversations and the responses that belong to
// none, by id.
func list(tx *sqlite.Tx) ([]source.Entry, error) {
	seen := map[string]bool{}
	var entries []source.Entry
	add := func(r sqlite.Row) error {
		if id := r.Text("id"); !seen[id] && id != "" {
			seen[id] = true
			entries = append(entries, source.Entry{ID: id, Title: chat.Title(r.Text("name")), Status: model.StatusUnknown, At: rows.Time(r, "datetime_utc")})
		}
		return nil
	}
	if isNew(tx) {
		if err := rows.Each(tx, "threads", []string{"id", "name", "datetime_utc"}, "", nil, add); err != nil {
			return nil, err
		}
		if err := tx.Query("SELECT thread_id AS id, min(datetime_utc) AS datetime_utc FROM turns GROUP BY thread_id", nil, add); err != nil {
			return nil, err
		}
	}
	if isOld(tx) {
		if err := rows.Each(tx, "conversations", []string{"id", "name"}, "", nil, add); err != nil {
			return nil, err
		}
		query := "SELECT coalesce(nullif(conversation_id, ''), id) AS id, min(id), substr(prompt, 1, 1000) AS name FROM responses GROUP BY 1"
		if err := tx.Query(query, nil, add); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(entries, func(a, b source.Entry) int { return strings.Compare(a.ID, b.ID) })
	return entries, nil
}

func load(d *rows.Builder, tx *sqlite.Tx, e source.Entry) error {
	l := &loading{Builder: d, tx: tx, b: model.NewThread(e.ID, "main")}
	var err error
	if isNew(tx) {
		err = l.turns(e.ID)
	}
	if err == nil && l.b.Len() == 0 && isOld(tx) {
		err = l.responses(e.ID)
	}
	if err != nil {
		return err
	}
	d.Run.Threads = []*model.Thread{l.b.Build()}
	return nil
}

// loading is one run in the making.
type loading struct {
	*rows.Builder
	tx *sqlite.Tx
	b  *model.ThreadBuilder
}

// one gives the value of a column of the only row that tail names.
func (l *loading) one(table, column, tail string, args ...any) (text string, err error) {
	err = rows.Each(l.tx, table, []string{column}, tail, args, func(r sqlite.Row) error {
		text = r.Text(column)
		return nil
	})
	return text, err
}

// attachment makes a part of a row of attachments; its content stays where it is.
func (l *loading) attachment(id, place string) (p model.Part, err error) {
	p = model.Part{Kind: model.File, Body: l.Keep.Add(id, place)}
	err = rows.Each(l.tx, "attachments", []string{"type", "path", "url"}, "WHERE id = ?", []any{id}, func(r sqlite.Row) error {
		p.Media = r.Text("type")
		if strings.HasPrefix(p.Media, "image/") {
			p.Kind = model.Image
		}
		text := r.Text("url")
		if text == "" {
			text = r.Text("path")
		}
		row, _ := r.Int(rows.RowID)
		if p.Body = l.Keep.Add(text, place); text == "" {
			p.Body = l.Cell(rows.Column{Table: "attachments", Name: "content", Decode: encoded}, row, 0)
			p.Body.Form = model.Plain
		}
		return nil
	})
	return p, err
}

// encoded shows bytes as base64.
func encoded(raw []byte) (string, error) { return base64.StdEncoding.EncodeToString(raw), nil }

// value keeps a JSON value; a text that is none is kept as it is.
func (l *loading) value(text, place string) model.Ref {
	if !json.Valid([]byte(text)) {
		return l.Keep.Add(text, place)
	}
	return l.JSON([]byte(text), place)
}

// usage reads the tokens of a row. OpenAI's input holds the cached tokens, which
// stand in prompt_tokens_details or input_tokens_details; Anthropic's does not.
func usage(r sqlite.Row) model.Usage {
	var u model.Usage
	in, hasIn := r.Int("input_tokens")
	details := loose.Parse(r.Bytes("token_details"))
	set := func(f model.UsageField, o loose.Object, key string) (int64, bool) {
		n, ok := o.Int(key)
		if ok = ok && n >= 0; ok {
			u.Set(f, n)
		}
		return n, ok
	}
	for _, kind := range []string{"prompt", "input"} {
		if n, ok := set(model.UsageCacheRead, details.Object(kind+"_tokens_details"), "cached_tokens"); ok && in >= n {
			in -= n
		}
	}
	set(model.UsageCacheRead, details, "cache_read_input_tokens")
	set(model.UsageCacheWrite, details, "cache_creation_input_tokens")
	for _, kind := range []string{"completion", "output"} {
		set(model.UsageReasoning, details.Object(kind+"_tokens_details"), "reasoning_tokens")
	}
	if hasIn && in >= 0 {
		u.Set(model.UsageInput, in)
	}
	if out, ok := r.Int("output_tokens"); ok && out >= 0 {
		u.Set(model.UsageOutput, out)
	}
	return u
}

// modelOf is the model that answered, as exactly as it is recorded.
func modelOf(r sqlite.Row) string {
	if name := r.Text("resolved_model"); name != "" {
		return name
	}
	return r.Text("model")
}
