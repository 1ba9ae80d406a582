package export

import (
	"bufio"
	"fmt"

	"agentlens/internal/safe"
)

// A lineWriter writes lines for a renderer and keeps the first error.
type lineWriter struct {
	w   *bufio.Writer
	g   *safe.Gate
	err error
	// count counts the masks of the output; nil leaves that to the gate.
	count *safe.Written
}

// line writes one line. The parts must have passed the gate.
func (p *lineWriter) line(parts ...fmt.Stringer) {
	for _, s := range parts {
		text := s.String()
		if p.count != nil {
			p.count.Add(text)
		}
		if p.err == nil {
			_, p.err = p.w.WriteString(text)
		}
	}
	if p.err == nil {
		p.err = p.w.WriteByte('\n')
	}
}

func (p *lineWriter) literal(format string, a ...any) fmt.Stringer {
	return p.g.Literal(fmt.Sprintf(format, a...))
}

func (p *lineWriter) flush() error {
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}
