package uitest

import "agentlens/internal/model"

// TornBodies fails to read the text at one place.
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
