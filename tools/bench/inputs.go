//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// rare is a word that some messages of a generated session have. none is in no message.
const (
	rare = "flamingo"
	none = "zebracrossing"
)

// A writer writes a Claude Code session: a person asks, the model calls tools and answers.
type writer struct {
	out           *bufio.Writer
	rnd           *rand.Rand
	words         []string
	id            string
	messages      int
	bytes, prompt int
}

// writeSession writes a session until it has the given number of messages or bytes. The size of
// its tool results is up to words words.
func writeSession(path string, seed uint64, messages, size, words int) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := &writer{out: bufio.NewWriterSize(file, 1<<20), rnd: rand.New(rand.NewPCG(seed, 1)), id: fmt.Sprintf("%08x-0000-4000-8000-%012x", seed, seed)}
	for range 4000 {
		w.words = append(w.words, w.word())
	}
	w.user(`"` + w.text(20) + `"`)
	for w.messages < messages && w.bytes < size {
		if w.rnd.IntN(8) == 0 {
			w.user(`"` + w.text(30) + `"`)
		}
		call := fmt.Sprintf("toolu_%08d", w.messages)
		w.assistant(fmt.Sprintf(`{"type":"text","text":"%s"},{"type":"tool_use","id":"%s","name":"Read","input":{"file_path":"/src/%s.go"}}`, w.text(12), call, w.words[w.rnd.IntN(400)]))
		w.user(fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"%s","content":"%s"}]`, call, w.text(w.rnd.IntN(words))))
	}
	w.assistant(`{"type":"text","text":"` + w.text(30) + `"}`)
	return w.out.Flush()
}

func (w *writer) word() string {
	b := make([]byte, 2+w.rnd.IntN(9))
	for i := range b {
		b[i] = "etaoinsrhldcumfpgwybvkxjqz"[min(w.rnd.IntN(26), w.rnd.IntN(26))]
	}
	return string(b)
}

// text returns n words, with line ends, numbers, and sometimes the rare word.
func (w *writer) text(n int) string {
	var b strings.Builder
	for i := range n {
		switch w.rnd.IntN(12) {
		case 0:
			b.WriteString(`\n\t`)
		case 1:
			fmt.Fprintf(&b, "%d: ", w.rnd.IntN(100_000))
		}
		b.WriteString(w.words[min(w.rnd.IntN(len(w.words)), w.rnd.IntN(len(w.words)))])
		b.WriteByte(" ;.(="[min(w.rnd.IntN(5), w.rnd.IntN(5))])
		if i == 7 && w.rnd.IntN(100) == 0 {
			b.WriteString(rare + " ")
		}
	}
	return b.String()
}

// line writes a record; the record before is its parent.
func (w *writer) line(kind, message string) {
	parent := "null"
	if w.messages > 0 {
		parent = fmt.Sprintf(`"u%07d-%s"`, w.messages-1, w.id[:8])
	}
	at := w.messages * 7
	n, _ := fmt.Fprintf(w.out, `{"parentUuid":%s,"isSidechain":false,"cwd":"/src","sessionId":"%s","version":"2.1.0","type":"%s","message":%s,"uuid":"u%07d-%s","timestamp":"2026-01-%02dT%02d:%02d:%02d.000Z"}`+"\n",
		parent, w.id, kind, message, w.messages, w.id[:8], 1+at/86400%28, at/3600%24, at/60%60, at%60)
	w.messages++
	w.bytes += n
	w.prompt += n / 5
}

func (w *writer) user(content string) {
	w.line("user", `{"role":"user","content":`+content+`}`)
}

func (w *writer) assistant(content string) {
	w.line("assistant", fmt.Sprintf(`{"id":"msg_%07d","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[%s],"usage":{"input_tokens":3,"output_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d}}`,
		w.messages, content, 40+w.rnd.IntN(200), w.prompt%180_000, 900))
}

// countLines reads all files at path through one buffer and counts their lines: the least that
// a program which reads them must do.
func countLines(path string) error {
	buffer, lines := make([]byte, 1<<20), 0
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		for {
			n, err := file.Read(buffer)
			lines += bytes.Count(buffer[:n], []byte{'\n'})
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
	fmt.Println(lines)
	return err
}
