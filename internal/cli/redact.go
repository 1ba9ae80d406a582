package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"agentlens/internal/redact"
)

func (a *app) redact() *cobra.Command {
	return &cobra.Command{
		Use:   "redact",
		Short: "Filter: text in, the same text with its secrets masked out",
		Long: `Copy standard input to standard output with secrets masked and control
characters made visible. Names of people and unknown forms of secrets are not
found. What was masked is counted on stderr, by rule.

  env | lens redact
  lens redact --level strict --pii email < session.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runRedact(cmd.Context()) },
	}
}

// redactBlock is how much text is looked at together: a secret of several lines
// is found when it stands in one block.
const redactBlock = 1 << 20

func (a *app) runRedact(ctx context.Context) error {
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	in, out := bufio.NewReaderSize(newUntilDone(ctx, a.in), 1<<16), bufio.NewWriter(a.out)
	var block []byte
	flush := func() error {
		if len(block) == 0 {
			return nil
		}
		_, err := out.WriteString(g.Text(string(block)).String())
		block = block[:0]
		if err == nil {
			err = out.Flush()
		}
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, readErr := in.ReadSlice('\n')
		for errors.Is(readErr, bufio.ErrBufferFull) { // a line longer than the buffer
			block = append(block, line...)
			line, readErr = in.ReadSlice('\n')
		}
		block = append(block, line...)
		if readErr != nil || len(block) >= redactBlock {
			if err := flush(); err != nil {
				return err
			}
		}
		if errors.Is(readErr, io.EOF) {
			a.masked(g.Found())
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("read standard input: %w", readErr)
		}
	}
}
