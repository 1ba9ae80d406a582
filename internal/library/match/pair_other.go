//go:build !amd64

package match

// wide finds nothing: only some processors compare many positions at a time.
func (p *pair) wide(_ []byte, at int) (found int, ok bool) { return at, false }
