package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/curate"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// input makes what a thread is replayed with.
func (a *app) input(ctx context.Context, run *model.Run, t *model.Thread) (curate.Input, error) {
	windows, err := a.windows()
	if err != nil {
		return curate.Input{}, err
	}
	sizes, err := a.sizes(ctx, run, t)
	return curate.Input{Run: run, Thread: t, Sizes: sizes, Texts: true, Window: windows.At(t)(len(t.Calls) + 1)}, err
}

// exact counts as a thread's model does, as far as that is public.
const exact = "exact"

// addCount adds --tokens and --window to a command that replays a thread.
func (a *app) addCount(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.count, "tokens", "", "count by: exact (as the model does; the default where its tokenizer is public), "+strings.Join(curate.Estimators(), ", "))
	a.addWindow(cmd)
}

// addWindow adds --window to a command that forms views.
func (a *app) addWindow(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.window, "window", "", "size of the context window in tokens (default: that of the record, else of the model, where known)")
}

// sizes counts a thread as --tokens says.
func (a *app) sizes(ctx context.Context, run *model.Run, t *model.Thread) (*curate.Sizes, error) {
	switch {
	case a.count == exact:
		a.warnInexact(t.LastModel())
	case slices.Contains(curate.Estimators(), a.count):
		s, err := curate.MeasureBy(ctx, run, t, a.count)
		if errors.Is(err, curate.ErrNoUsage) {
			err = notFound{err.Error()}
		}
		return s, err
	case a.count != "":
		return nil, usageError{fmt.Sprintf("--tokens %s: want %s, %s", a.count, exact, strings.Join(curate.Estimators(), ", "))}
	}
	return curate.MeasureFor(ctx, run, t, nil)
}

// warnInexact says that exact counts were asked for and there are none.
func (a *app) warnInexact(modelName string) {
	switch {
	case tokens.For(modelName).Exact():
	case modelName == "":
		fmt.Fprintln(a.err, "lens: the record names no model: token counts are estimates")
	default:
		fmt.Fprintf(a.err, "lens: %s has no public tokenizer: token counts are estimates\n", cleanLine(modelName))
	}
}
