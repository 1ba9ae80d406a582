package engine

import (
	"context"

	"agentlens/internal/model"
)

// A Runner runs the programs that strategies name. It gets the command as written in the
// chain and the standard input, and returns the standard output. The runner limits the
// running time, and caches answers by input so that a program does not run twice. Its
// errors describe how the program failed.
type Runner interface {
	Run(ctx context.Context, command string, input []byte) ([]byte, error)
}

// A Mask removes secrets from the input of programs and from texts that a stage quotes,
// because part of a secret cannot be recognised later.
type Mask interface {
	// Text returns a text of a view with secrets masked. It finds secrets in the whole
	// original text and masks every remaining piece.
	Text(original string, pieces []model.Piece) string
	// Name returns the name of a tool or the id of a call with secrets masked.
	Name(name string) string
	// Arguments returns the arguments of a call with secrets masked.
	Arguments(arguments string) string
}
