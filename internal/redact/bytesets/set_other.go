//go:build !amd64

package bytesets

// wideNext finds nothing: only some processors look at many bytes at a time.
func (s *Set) wideNext(_ string, i int) (at int, ok bool) { return i, false }

// wideRun finds nothing.
func (s *Set) wideRun(_ string, i int) (at int, ok bool) { return i, false }
