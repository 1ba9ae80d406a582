package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/session"
	"agentlens/internal/redact"
)

func newRedact(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:  "redact",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runRedact(cmd.Context(), s) },
	}
}

// redactBlock is how much text is redacted together, in bytes. A secret that spans several lines is found only if
// one block contains it whole.
const redactBlock = 1 << 20

func runRedact(ctx context.Context, s *session.Session) error {
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	in, out := bufio.NewReaderSize(session.CancelReader(ctx, s.In), 1<<16), bufio.NewWriter(s.Out)
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
			printMasked(s.Err, g.Found())
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("read standard input: %w", readErr)
		}
	}
}
