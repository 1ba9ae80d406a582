package view

import (
	"context"

	"agentlens/internal/curate"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

func StoredBytes(t *model.Thread) (n int64) {
	for i := range t.Len() {
		n += t.At(i).StoredBytes()
	}
	return n
}

// SizesAtOnce counts a thread, or samples a big one.
func SizesAtOnce(ctx context.Context, run *model.Run, t *model.Thread) (*curate.Sizes, error) {
	if StoredBytes(t) > CountAtOnce {
		return curate.Sample(ctx, run, t, tokens.For(t.LastModel()))
	}
	return curate.MeasureFor(ctx, run, t, nil)
}

// CountAtOnce is the size in bytes of the largest thread a person waits for.
const CountAtOnce = 16 << 20
