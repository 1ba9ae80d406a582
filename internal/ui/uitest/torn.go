package uitest

import "agentlens/internal/model"

// TornBodies is a set of bodies in which one text cannot be read.
type TornBodies struct {
	model.Bodies
	At  model.Ref
	Err error
}

// Body returns Err for the text at At.
func (b TornBodies) Body(ref model.Ref) (string, error) {
	if ref == b.At {
		return "", b.Err
	}
	return b.Bodies.Body(ref)
}
