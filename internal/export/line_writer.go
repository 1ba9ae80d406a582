package export

import (
	"bufio"
	"fmt"
	"strings"

	"agentlens/internal/safe"
)

// A lineWriter writes lines for a renderer and keeps the first error.
type lineWriter struct {
	w   *bufio.Writer
	g   *safe.Gate
	err error
	// count counts the masks of the output; nil leaves that to the gate.
	count *safe.Written
	fixed map[string]safe.Safe // literals without arguments
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
	if len(a) > 0 {
		return p.g.Literal(fmt.Sprintf(format, a...))
	}
	text, ok := p.fixed[format]
	if !ok {
		if p.fixed == nil {
			p.fixed = map[string]safe.Safe{}
		}
		text = p.g.Literal(strings.ReplaceAll(format, "%%", "%"))
		p.fixed[format] = text
	}
	return text
}

func (p *lineWriter) flush() error {
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}
