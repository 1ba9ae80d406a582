//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// documentRows measures files that are one JSON value, and a session that is stored whole after each step.
func (b *bench) documentRows(megabytes int) ([]row, error) {
	var rows []row
	for _, d := range []struct {
		what, name string
		args       []string
		write      func(w *bufio.Writer, t *writer) error
	}{
		{fmt.Sprintf("`list`, one chat document, %d MB", megabytes), "chat.json", []string{"list", "--no-cache"}, func(w *bufio.Writer, t *writer) error { return writeChat(w, t, megabytes<<20) }},
		{fmt.Sprintf("`list`, one OpenTelemetry object, %d MB", megabytes), "otlp.json", []string{"list", "--no-cache"}, func(w *bufio.Writer, t *writer) error { return writeSpans(w, t, megabytes<<20) }},
		{fmt.Sprintf("`list`, one Gemini CLI recording, %d MB", megabytes), "gemini.json", []string{"list", "--no-cache"}, func(w *bufio.Writer, t *writer) error { return writeGemini(w, t, megabytes<<20) }},
		{fmt.Sprintf("`list`, one HAR capture, %d MB", megabytes), "traffic.har", []string{"list", "--no-cache"}, func(w *bufio.Writer, t *writer) error { return writeCapture(w, t, megabytes<<20) }},
		{"`resume --json`, 400 snapshots", "snapshots.jsonl", []string{"resume", "--json"}, func(w *bufio.Writer, t *writer) error { return writeSnapshots(w, t, 400) }},
	} {
		path := filepath.Join(b.dir, d.name)
		if err := writeTo(path, d.write); err != nil {
			return nil, err
		}
		rows = append(rows, row{what: d.what, against: readAndCount, command: append(append([]string{b.lens}, d.args...), path), peer: []string{b.self, "-scan", path}})
	}
	return rows, nil
}

// writeTo makes a file with the words of a fixed seed.
func writeTo(path string, write func(*bufio.Writer, *writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	words := &writer{rnd: rand.New(rand.NewPCG(4, 1))}
	for range 4000 {
		words.words = append(words.words, words.word())
	}
	out := bufio.NewWriterSize(file, 1<<20)
	if err := write(out, words); err != nil {
		return err
	}
	return out.Flush()
}

// encoded returns v as JSON.
func encoded(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps, lists and texts always encode
	}
	return string(raw)
}

type object = map[string]any

// writeChat writes a conversation as one object with its messages.
func writeChat(w *bufio.Writer, t *writer, size int) error {
	n, _ := w.WriteString(`{"model":"gpt-4o","messages":[{"role":"user","content":"Begin."}`)
	for i := 0; n < size; i++ {
		id := fmt.Sprintf("call_%d", i)
		for _, m := range []object{
			{"role": "assistant", "content": nil, "tool_calls": []any{object{"id": id, "type": "function", "function": object{"name": "read", "arguments": `{"path":"a.go"}`}}}},
			{"role": "tool", "tool_call_id": id, "content": t.text(t.rnd.IntN(2000))},
		} {
			k, _ := w.WriteString("," + encoded(m))
			n += k
		}
	}
	_, err := w.WriteString("]}")
	return err
}

// writeSpans writes provider calls, 100 to a trace, as one export.
func writeSpans(w *bufio.Writer, t *writer, size int) error {
	attribute := func(key, value string) object { return object{"key": key, "value": object{"stringValue": value}} }
	n, _ := w.WriteString(`{"resourceSpans":[{"scopeSpans":[{"spans":[`)
	for i := 0; n < size; i++ {
		said := func(role, text string) string {
			return encoded([]any{object{"role": role, "parts": []any{object{"type": "text", "content": text}}}})
		}
		comma := ","
		if i == 0 {
			comma = ""
		}
		at := 1_760_000_000_000_000_000 + int64(i)*1_000_000_000
		k, _ := w.WriteString(comma + encoded(object{
			"traceId": fmt.Sprintf("%032x", i/100+1), "spanId": fmt.Sprintf("%016x", i+1), "name": "chat gpt-4o",
			"startTimeUnixNano": fmt.Sprint(at), "endTimeUnixNano": fmt.Sprint(at + 500_000_000),
			"attributes": []any{
				attribute("gen_ai.operation.name", "chat"), attribute("gen_ai.request.model", "gpt-4o"),
				attribute("gen_ai.input.messages", said("user", t.text(40))), attribute("gen_ai.output.messages", said("assistant", t.text(800))),
			},
		}))
		n += k
	}
	_, err := w.WriteString("]}]}]}")
	return err
}

// writeGemini writes a recording of the Gemini CLI.
func writeGemini(w *bufio.Writer, t *writer, size int) error {
	n, _ := w.WriteString(`{"sessionId":"0b000000-0000-4000-8000-000000000003","projectHash":"0c","startTime":"2025-10-01T10:00:00.000Z","lastUpdated":"2025-10-01T12:00:00.000Z","messages":[`)
	for i := 0; n < size; i++ {
		comma, m := ",", object{"id": fmt.Sprintf("m%d", i), "timestamp": fmt.Sprintf("2025-10-01T10:%02d:%02d.000Z", i/60%60, i%60), "type": "user", "content": t.text(40)}
		if i == 0 {
			comma = ""
		} else if i%2 == 1 {
			m["type"], m["content"], m["model"] = "gemini", t.text(t.rnd.IntN(2000)), "gemini-2.5-pro"
			m["tokens"] = object{"input": 100 * i, "output": 900, "cached": 0, "thoughts": 0, "tool": 0, "total": 100*i + 900}
		}
		k, _ := w.WriteString(comma + encoded(m))
		n += k
	}
	_, err := w.WriteString("]}")
	return err
}

// writeCapture writes web traffic with separate requests to a model.
func writeCapture(w *bufio.Writer, t *writer, size int) error {
	n, _ := w.WriteString(`{"log":{"version":"1.2","creator":{"name":"browser","version":"1"},"entries":[`)
	for i := 0; n < size; i++ {
		comma := ","
		if i == 0 {
			comma = ""
		}
		k, _ := w.WriteString(comma + encoded(object{
			"startedDateTime": fmt.Sprintf("2025-10-01T10:%02d:%02d.000Z", i/60%60, i%60), "time": 900,
			"request": object{"method": "POST", "url": "https://api.openai.com/v1/chat/completions", "postData": object{
				"mimeType": "application/json",
				"text":     encoded(object{"model": "gpt-4o", "messages": []any{object{"role": "user", "content": t.text(40)}}}),
			}},
			"response": object{"status": 200, "content": object{"mimeType": "application/json", "text": encoded(object{
				"id": fmt.Sprintf("chatcmpl-%d", i), "object": "chat.completion", "model": "gpt-4o",
				"choices": []any{object{"index": 0, "finish_reason": "stop", "message": object{"role": "assistant", "content": t.text(t.rnd.IntN(2000))}}},
				"usage":   object{"prompt_tokens": 60, "completion_tokens": 900, "total_tokens": 960},
			})}},
		}))
		n += k
	}
	_, err := w.WriteString("]}}")
	return err
}

// writeSnapshots writes a session after each of its steps, each snapshot with all messages so far.
func writeSnapshots(w *bufio.Writer, t *writer, snapshots int) error {
	var items []any
	add := func(role string, more object) {
		item := object{
			"role": role, "content": t.text(5 + t.rnd.IntN(110)), "sequence": len(items), "turn": len(items) / 3, "evaluation_id": "0a000000-bbbb-4000-8000-000000000002",
			"message_id": fmt.Sprintf("00000000-0000-4000-8000-%012d", len(items)), "prompt_key": "executor", "prompt_ns": "agents/worker", "tool_calls": []any{},
			"tool_call_id": nil, "tool_name": nil, "created_at": fmt.Sprintf("2025-12-10T%02d:%02d:%02d+00:00", len(items)/3600, len(items)/60%60, len(items)%60),
		}
		for key, value := range more {
			item[key] = value
		}
		items = append(items, item)
	}
	add("system", nil)
	add("user", nil)
	for i := range snapshots {
		id := fmt.Sprintf("call%d", i)
		add("assistant", object{"tool_calls": []any{object{"id": id, "name": "read", "arguments": object{"path": "a.go"}}}})
		add("tool", object{"tool_call_id": id, "tool_name": "read"})
		_, err := w.WriteString(encoded(object{
			"version": "1", "children_ids": []any{}, "parent_id": nil, "policies": object{}, "tags": object{"session_id": "11111111-0000-4000-8000-000000000001"},
			"created_at": fmt.Sprintf("2025-12-11T%02d:%02d:%02d+00:00", i/3600, i/60%60, i%60),
			"slices":     []any{object{"item_type": "weakincentives.runtime.inner_messages:InnerMessage", "items": items}},
		}) + "\n")
		if err != nil {
			return err
		}
	}
	return nil
}
