package engine

import (
	"context"

	"agentlens/internal/model"
)

// A Runner runs the programs that strategies name: command is as in the chain, input
// goes to standard input, standard output comes back. The runner limits the time of
// a program and keeps answers by input, so that a program does not run twice. Its
// errors say what the program did.
type Runner interface {
	Run(ctx context.Context, command string, input []byte) ([]byte, error)
}

// A Mask takes secrets out of what programs get, and out of what a stage quotes from
// texts: a piece of a secret cannot be told from words.
type Mask interface {
	// Text returns a text of a view without secrets. It finds them in the whole
	// original, and masks each wherever a piece of it remains.
	Text(original string, pieces []model.Piece) string
	// Arguments returns the arguments of a call without secrets.
	Arguments(arguments string) string
}
