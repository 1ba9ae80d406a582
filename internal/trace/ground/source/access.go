package source

import "context"

// Access limits what lens does for a source that is hard to read. The zero value never waits and refuses what
// may be malicious.
type Access struct {
	// Wait keeps trying while a writer changes a database faster than lens can read it.
	Wait bool
	// Large reports whether to unpack a source of packed bytes to more than unpacked bytes, which is
	// suspiciously large. Nil refuses.
	Large func(path string, packed, unpacked int64) bool
	// Convert returns the runs of a file as lens.run/1 lines, as a program of the user reads them. ok is false if
	// no such program reads the file. Nil converts nothing.
	Convert func(ctx context.Context, path string) (lines []byte, ok bool, err error)
}

type accessKey struct{}

// WithAccess returns a context whose reads have the given access.
func WithAccess(ctx context.Context, a Access) context.Context {
	return context.WithValue(ctx, accessKey{}, a)
}

// AccessOf returns the access of a context.
func AccessOf(ctx context.Context) Access {
	a, _ := ctx.Value(accessKey{}).(Access)
	return a
}

// Under sets the context for reads without a context of their own, such as those of sniffers.
func (f *File) Under(ctx context.Context) { f.ctx = ctx }

// Context returns the context set by [File.Under].
func (f *File) Context() context.Context {
	if f.ctx == nil {
		return context.Background()
	}
	return f.ctx
}
