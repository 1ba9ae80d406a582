package source

import "os"

// Texts longer than spilledText bytes go to a temporary file once an arena holds mostHeld bytes of texts in memory.
const (
	mostHeld    = 32 << 20
	spilledText = 1 << 10
	// spaceStep is the number of bytes between two looks at the free space of the disk.
	spaceStep = 64 << 20
)

// A spill is a temporary file without a name for the texts of a large document that have no position in its own file,
// such as JSON in texts of JSON. The system removes it with its last reader.
type spill struct {
	file    *File
	out     *os.File
	size    int64
	checked int64 // size up to which the disk has space
	full    bool  // no text can be written
}

// newSpill returns a spill, which is full if there can be no file without a name.
func newSpill() *spill {
	out, err := os.CreateTemp("", "lens-*")
	if err != nil {
		return &spill{full: true}
	}
	if err := os.Remove(out.Name()); err != nil { // on Windows, an open file keeps its name
		out.Close()
		os.Remove(out.Name())
		return &spill{full: true}
	}
	return &spill{out: out, file: &File{Path: "temporary file", r: out, close: out.Close}}
}

// write writes a text and returns its position. ok is false if it does not fit.
func (s *spill) write(text string) (off int64, ok bool) {
	if !s.full && s.size >= s.checked {
		s.full = freeSpace(os.TempDir()) < spareSpace+spaceStep
		s.checked = s.size + spaceStep
	}
	if s.full {
		return 0, false
	}
	off = s.size
	if _, err := s.out.WriteString(text); err != nil {
		s.full = true
		return 0, false
	}
	s.size += int64(len(text))
	return off, true
}
