package programs

import "bytes"

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
