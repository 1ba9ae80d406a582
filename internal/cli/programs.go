package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/chat"
)

// programFlags say how the programs of a chain are run.
type programFlags struct {
	timeout  time.Duration
	unmasked bool
}

func (f *programFlags) add(flags *pflag.FlagSet) {
	flags.DurationVar(&f.timeout, "program-timeout", 30*time.Second, `time a program of the chain may take: exec("…"), summary=command("…")`)
	flags.BoolVar(&f.unmasked, "program-unmasked", false, "give programs of the chain the texts with their secrets")
}

// programs makes what runs the programs of a chain. Those that come from a preset
// are named on stderr: nobody typed them.
func (a *app) programs(f programFlags, chain curate.Chain) curate.Runner {
	for _, p := range chain.Programs() {
		if p.Preset != "" {
			say(a.err, fmt.Sprintf("%s runs a program: %s", p.Preset, p.Command))
		}
	}
	return &runner{timeout: f.timeout, done: map[[sha256.Size]byte]ran{}}
}

// mask takes secrets out of texts as the gate does for JSON.
type mask struct{ gate *safe.Gate }

func (m mask) Text(original string, pieces []model.Piece) string {
	return unquoted(m.gate.PiecesJSON(original, pieces))
}

func (m mask) Arguments(arguments string) string { return unquoted(m.gate.Arguments(arguments)) }

func unquoted(s safe.SafeJSON) string {
	var text string
	if err := json.Unmarshal([]byte(s.String()), &text); err != nil {
		return ""
	}
	return text
}

// runner runs programs, each once for the same input.
type runner struct {
	timeout time.Duration
	mu      sync.Mutex
	done    map[[sha256.Size]byte]ran
}

type ran struct {
	output []byte
	err    error
}

// Run implements [curate.Runner].
func (r *runner) Run(ctx context.Context, command string, input []byte) ([]byte, error) {
	id := sha256.Sum256(append([]byte(command+"\x00"), input...))
	r.mu.Lock()
	known, ok := r.done[id]
	r.mu.Unlock()
	if ok {
		return known.output, known.err
	}
	output, err := r.start(ctx, command, input)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.mu.Lock()
	r.done[id] = ran{output, err}
	r.mu.Unlock()
	return output, err
}

// Bounds of what is taken of a program's output and errors, in bytes.
const (
	maxOutput = 256 << 20
	maxErrors = 64 << 10
)

func (r *runner) start(ctx context.Context, command string, input []byte) ([]byte, error) {
	words, err := splitWords(command)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, r.timeout)
	defer stop()
	out, errs := &limited{max: maxOutput}, &limited{max: maxErrors}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), out, errs
	cmd.WaitDelay = time.Second // what it started may hold its output open
	together(cmd)
	err = cmd.Run()
	if cmd.Process != nil && (ctx.Err() != nil || errors.Is(err, exec.ErrWaitDelay)) {
		_ = endAll(cmd) // what it started may go on when it has ended itself
	}
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("it took longer than %s and was stopped; --program-timeout gives it more", r.timeout)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil, errors.New("it ended, what it started held its output open and was stopped; it must wait for that")
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("there is no program %s in PATH; it is started without a shell", words[0])
	case errors.As(err, &ended):
		return nil, fmt.Errorf("it failed (%s)%s", ended, firstLine(errs.String()))
	case err != nil:
		return nil, fmt.Errorf("it could not be run: %w", err)
	case out.over:
		return nil, fmt.Errorf("it printed more than %d MB", maxOutput>>20)
	}
	return out.Bytes(), nil
}

// firstLine is the first line of what a program said, for an error.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD")); line != "" {
			return ": " + chat.Cut(line, 400)
		}
	}
	return " and said nothing"
}

// limited keeps the first max bytes written to it.
type limited struct {
	bytes.Buffer
	max  int
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	room := min(l.max-l.Len(), len(p))
	l.over = l.over || room < len(p)
	l.Buffer.Write(p[:room])
	return len(p), nil
}

// splitWords splits a command at spaces. Quotes, single or double, hold a word
// together; in double ones, and outside, a backslash takes the next character as
// it is.
func splitWords(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, quote, escaped := false, rune(0), false
	for _, c := range command {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			open, escaped = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			open, quote = true, c
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			open = true
			word.WriteRune(c)
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("a quote (%c) in it is not closed", quote)
	case escaped:
		return nil, errors.New("it ends with a backslash")
	case open:
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("it names no program")
	}
	return words, nil
}
