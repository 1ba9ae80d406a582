package sharegpthf

import (
	"context"
	"fmt"
	"io"

	"agentlens/internal/trace/ground/source"
)

// blockLen is the number of bytes read at once.
const blockLen = 1 << 20

// An element is one value of a list. Its data is valid until the next element is
// read.
type element struct {
	data []byte
	off  int64
	open bool // the file ends inside the element
}

// A splitter finds the elements of a list in a stream of bytes. It tracks only
// quotes and brackets and does not validate the elements.
type splitter struct {
	started, ended bool // state of the list
	inside         bool // inside an element
	depth          int
	inString, back bool
}

// next processes one byte. begins reports that an element begins with c. ends
// reports that an element ends before c or, if whole is set, with c.
func (s *splitter) next(c byte) (begins, ends, whole bool) {
	switch {
	case s.ended:
	case !s.started:
		s.started = c == '['
	case s.inString:
		switch {
		case s.back:
			s.back = false
		case c == '\\':
			s.back = true
		case c == '"':
			s.inString = false
		}
	case c == '"':
		begins, s.inside, s.inString = !s.inside, true, true
	case c == '{' || c == '[':
		begins, s.inside = !s.inside, true
		s.depth++
	case c == '}' || c == ']':
		if s.depth == 0 {
			ends, s.inside, s.ended = s.inside, false, true
			break
		}
		s.depth--
		if s.depth == 0 {
			ends, whole, s.inside = true, true, false
		}
	case c == ',' && s.depth == 0:
		ends, s.inside = s.inside, false
	case !s.inside && c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != ',':
		begins, s.inside = true, true
	}
	return begins, ends, whole
}

// eachElement calls yield for every element of the list in a file. It holds one
// block, or the longest element, in memory. closed reports whether the list ended.
func eachElement(ctx context.Context, f *source.File, yield func(element)) (closed bool, err error) {
	var s splitter
	buf := make([]byte, 0, blockLen)
	off := int64(0) // file offset of buf[0]
	start := -1     // start of the element in buf, or -1
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		scanned := len(buf)
		free := buf[scanned:cap(buf)]
		n, err := f.ReadAt(free[:min(int64(len(free)), f.Size()-off-int64(scanned))], off+int64(scanned))
		if err != nil && err != io.EOF {
			return false, fmt.Errorf("read %s at byte %d: %w", f.Path, off, err)
		}
		buf = buf[:scanned+n]
		for i := scanned; i < len(buf); i++ {
			begins, ends, whole := s.next(buf[i])
			if begins {
				start = i
			}
			if ends && start >= 0 {
				end := i
				if whole {
					end++
				}
				yield(element{data: buf[start:end], off: off + int64(start)})
				start = -1
			}
		}
		if n == 0 || s.ended {
			break
		}
		keep := len(buf)
		if start >= 0 {
			keep = start
		}
		if len(buf)-keep > maxRow {
			return false, &source.UnreadableError{Path: f.Path, Where: fmt.Sprintf("byte %d", off+int64(start)), Err: fmt.Errorf("a row of more than %d MiB", maxRow>>20)}
		}
		rest := buf[keep:]
		next := buf[:0]
		if len(rest) > cap(buf)/2 {
			next = make([]byte, 0, 2*cap(buf))
		}
		off += int64(keep)
		buf = append(next, rest...)
		if start >= 0 {
			start = 0
		}
	}
	if start >= 0 {
		yield(element{data: buf[start:], off: off + int64(start), open: true})
	}
	return s.ended, nil
}
