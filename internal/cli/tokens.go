package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

type tokensFlags struct {
	encoding, model string
	json, lines     bool
}

func (a *app) tokens() *cobra.Command {
	var f tokensFlags
	cmd := &cobra.Command{
		Use:   "tokens [file…]",
		Short: "Count the tokens of text, like wc",
		Long: `Count the tokens of files, or of standard input, as plain text. Without a flag
the encoding is o200k, that of OpenAI's newer models. Models without a public
tokenizer (Claude, Gemini) get an estimate, marked ~. Bytes that are no UTF-8
count as the replacement character. Files of any size are read in pieces.

With --jsonl every line is an object with a "text" and is answered by a line
with its "tokens"; a line that is none is answered by null and named on stderr.

  lens tokens prompt.md notes/*.md
  git diff | lens tokens --model claude-sonnet-4-5
  jq -c '{text: .content}' log.jsonl | lens tokens --jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runTokens(cmd.Context(), args, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.encoding, "encoding", "", "count with: "+strings.Join(tokens.Names(), ", ")+" (default o200k)")
	flags.StringVar(&f.model, "model", "", "count as this model does, where its tokenizer is public; else estimate")
	flags.BoolVar(&f.json, "json", false, "print lens.tokens/1")
	flags.BoolVar(&f.lines, "jsonl", false, `read {"text"} lines, print {"tokens"} lines`)
	return cmd
}

func (f *tokensFlags) counter() (tokens.Counter, error) {
	switch {
	case f.model != "" && f.encoding != "":
		return nil, usageError{"--model picks the encoding: give it or --encoding"}
	case f.json && f.lines:
		return nil, usageError{"--json prints sums, --jsonl a line for each line: name one of them"}
	case f.model != "":
		return tokens.For(f.model), nil
	case f.encoding != "":
		c, err := tokens.Named(f.encoding)
		if err != nil {
			return nil, usageError{"--encoding: " + err.Error()}
		}
		return c, nil
	}
	return tokens.Named("o200k")
}

// errUnread ends a command that has said on stderr what it could not read.
var errUnread = errors.New("not everything could be read")

func (a *app) runTokens(ctx context.Context, names []string, f tokensFlags) error {
	c, err := f.counter()
	if err != nil {
		return err
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = []string{"-"}
	}
	t := tokensPrinter{app: a, gate: g, counter: c, asked: len(names)}
	for _, name := range names {
		if err := a.tokensOf(ctx, &t, name, f.lines); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.unread = true
			say(a.err, err.Error())
		}
	}
	if !f.lines {
		if err := t.print(f.json); err != nil {
			return err
		}
	}
	if t.unread {
		return errUnread
	}
	return nil
}

// tokensOf counts one file, or "-", and hands what it gave to t.
func (a *app) tokensOf(ctx context.Context, t *tokensPrinter, name string, lines bool) error {
	in, called := a.in, "standard input"
	if name != "-" {
		file, err := os.Open(name)
		var at *fs.PathError
		if errors.As(err, &at) {
			return fmt.Errorf("%s: %w", name, at.Err)
		} else if err != nil {
			return err
		}
		defer file.Close()
		in, called = file, name
	}
	in = newUntilDone(ctx, in)
	if lines {
		return t.answer(in, called)
	}
	tally, err := tokens.CountReader(t.counter, in)
	if err != nil {
		return fmt.Errorf("%s: %w", called, plainError(err))
	}
	t.rows = append(t.rows, fileTokens{name, tally})
	return nil
}

// plainError leaves the path out of an error of the file system.
func plainError(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

type fileTokens struct {
	name string
	tokens.Tally
}

// A tokensPrinter gathers what was counted and prints it.
type tokensPrinter struct {
	*app
	gate    *safe.Gate
	counter tokens.Counter
	asked   int // files, read or not
	rows    []fileTokens
	unread  bool
}

// print prints a row per file, and the total where there are several.
func (t *tokensPrinter) print(asJSON bool) error {
	total := tokens.Tally{Exact: t.counter.Exact()}
	for _, r := range t.rows {
		total.Add(r.Tally)
	}
	if asJSON {
		return t.printJSON(total)
	}
	rows := t.rows
	if t.asked > 1 {
		rows = append(rows, fileTokens{"total", total})
	}
	width := len(figure(total))
	for _, r := range rows {
		width = max(width, len(figure(r.Tally)))
	}
	for i, r := range rows {
		name := ""
		switch {
		case i == len(t.rows):
			name = " total"
		case r.name != "-":
			name = " " + t.gate.Line(r.name).String()
		}
		if _, err := fmt.Fprintf(t.out, "%*s%s\n", width, figure(r.Tally), name); err != nil {
			return err
		}
	}
	return nil
}

// figure is a count as wc prints it, marked where it is an estimate.
func figure(t tokens.Tally) string {
	if t.Exact {
		return fmt.Sprint(t.Tokens)
	}
	return fmt.Sprintf("~%d", t.Tokens)
}

type tokensRow struct {
	Name   *safe.SafeJSON `json:"name,omitempty"`
	Tokens int64          `json:"tokens"`
	Bytes  int64          `json:"bytes"`
	Exact  bool           `json:"exact"`
}

func (t *tokensPrinter) printJSON(total tokens.Tally) error {
	files := []tokensRow{}
	for _, r := range t.rows {
		name := t.gate.JSON(r.name)
		files = append(files, tokensRow{&name, r.Tokens, r.Bytes, r.Exact})
	}
	return json.NewEncoder(t.out).Encode(struct {
		Schema   string      `json:"schema"`
		Encoding string      `json:"encoding"`
		Files    []tokensRow `json:"files"`
		Total    tokensRow   `json:"total"`
	}{"lens.tokens/1", t.counter.Name(), files, tokensRow{nil, total.Tokens, total.Bytes, total.Exact}})
}

// maxTextLine is the longest line of --jsonl, in bytes.
const maxTextLine = 256 << 20

// answer answers each line with a line, as soon as there is no further one to
// read at once.
func (t *tokensPrinter) answer(in io.Reader, called string) error {
	r, w := bufio.NewReaderSize(in, 1<<16), bufio.NewWriter(t.out)
	for n := 1; ; n++ {
		line, err := readLine(r, maxTextLine)
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		var count *int
		if err == nil || errors.Is(err, errLongLine) {
			if err == nil {
				count, err = t.countLine(line)
			}
			if err != nil {
				t.unread = true
				say(t.err, fmt.Sprintf("%s, line %d: %v", called, n, err))
			}
		} else {
			return errors.Join(w.Flush(), fmt.Errorf("%s, line %d: %w", called, n, plainError(err)))
		}
		row, err := json.Marshal(struct {
			Tokens *int `json:"tokens"`
		}{count})
		if err != nil {
			return err
		}
		if _, err := w.Write(append(row, '\n')); err != nil {
			return err
		}
		if r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

func (t *tokensPrinter) countLine(line []byte) (*int, error) {
	var row struct {
		Text *string `json:"text"`
	}
	var wrong *json.UnmarshalTypeError
	err := json.Unmarshal(line, &row)
	if err != nil && (!errors.As(err, &wrong) || wrong.Field == "") {
		return nil, fmt.Errorf(`expected an object such as {"text":"…"}: %w`, err)
	}
	if err != nil || row.Text == nil {
		return nil, errors.New(`expected a "text" that is a string`)
	}
	n := t.counter.Count(*row.Text)
	return &n, nil
}

var errLongLine = fmt.Errorf("the line is longer than %d MB", maxTextLine>>20)

// readLine reads a line without its end. One longer than limit is read to its end
// and is [errLongLine]. After the last line it is io.EOF.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long, some := false, false
	for {
		part, err := r.ReadSlice('\n')
		some = some || len(part) > 0
		if long = long || len(line)+len(part) > limit; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && some, err == nil:
			if long {
				return nil, errLongLine
			}
			return line, nil
		default:
			return nil, err
		}
	}
}
