package ui

import (
	"context"

	"agentlens/internal/curate"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

func storedBytes(t *model.Thread) (n int64) {
	for i := range t.Len() {
		n += t.At(i).StoredBytes()
	}
	return n
}

// sizesAtOnce counts a thread, or samples a big one.
func sizesAtOnce(ctx context.Context, run *model.Run, t *model.Thread) (*curate.Sizes, error) {
	if storedBytes(t) > countAtOnce {
		return curate.Sample(ctx, run, t, tokens.For(t.LastModel()))
	}
	return curate.MeasureFor(ctx, run, t, nil)
}

// countAtOnce is the size in bytes of the largest thread a person waits for.
const countAtOnce = 16 << 20
