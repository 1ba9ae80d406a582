package inspector

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/panes"
	"agentlens/internal/ui/view"
)

// linearPage is how many rows one step of the linear mode reads out.
const linearPage = 10

// A linear is the inspector for screen readers and for terminals that can only
// print: numbered lines and a prompt, nothing is drawn over, no lines and bars.
type linear struct {
	*inspector
	out  *bufio.Writer
	side panes.Side
	next int // item that is read next
	left bool
}

// Linear shows a run line by line: commands are read from in, answers written to
// out. why says what chose this mode. It ends with quit or with the input.
func Linear(ctx context.Context, cfg Config, in io.Reader, out io.Writer, why string) error {
	if cfg.Gate == nil || cfg.Load == nil {
		return errors.New("open the inspector: the gate and the load function must be given")
	}
	l := &linear{inspector: newInspector(ctx, cfg, kit.NewTheme(false, kit.NoColour)), out: bufio.NewWriter(out)}
	l.Say("lens, linear mode (%s). help lists the commands.", why)
	if err := l.open(ctx); err != nil {
		return err
	}
	l.about()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for {
		fmt.Fprint(l.out, "lens> ")
		if err := l.out.Flush(); err != nil {
			return nil // nobody reads any more
		}
		if !lines.Scan() {
			l.Say("")
			return errors.Join(lines.Err(), l.out.Flush())
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if l.do(strings.TrimSpace(lines.Text())); l.left {
			return l.out.Flush()
		}
	}
}

// Say writes lens's own words; safe writes a text of a record.
func (l *linear) Say(format string, a ...any) { fmt.Fprintf(l.out, format+"\n", a...) }

func (l *linear) Safe(s safe.Safe) { fmt.Fprintln(l.out, s) }

// open reads the run and forms the first view.
func (l *linear) open(ctx context.Context) error {
	run, err := l.cfg.Load(ctx, source.Options{})
	if err != nil {
		return err
	}
	l.scene = view.NewLabels(run, l.cfg.Gate)
	var why kit.Words
	if l.thread, why = l.wantedThread(run); why != "" {
		l.Say("%s", why)
	}
	l.call = l.cfg.Call
	if t := l.threadNow(); t != nil && l.call <= 0 {
		l.call = max(len(t.Calls), 1)
	}
	return l.refresh()
}

// refresh forms the view of the thread and call that are chosen.
func (l *linear) refresh() error {
	t := l.threadNow()
	if t == nil {
		return nil
	}
	l.call = min(max(l.call, 1), len(t.Calls)+1)
	if l.sizes[t] == nil {
		sizes, err := view.SizesAtOnce(l.ctx, l.scene.Run, t)
		switch {
		case l.ctx.Err() != nil:
			return l.ctx.Err()
		case err != nil:
			l.Say("figures stay estimates: %s", l.cfg.Gate.Line(kit.OneLine(view.WhyUnread(err))))
			sizes = curate.Guess(t)
		}
		l.sizes[t] = sizes
	}
	f := l.query(t, l.call).Form(l.ctx)
	if err := f.Fault(); err != nil {
		return err
	}
	l.replays, l.msgs.Shown, l.msgs.Count = f.Replays, f.Shown, len(f.Shown.Items)
	l.next = 0
	return nil
}

// about says what run, thread and call this is, and how much of it was sent.
func (l *linear) about() {
	sc := l.scene
	l.Say("run %s, %s, %s, %s, %s, %s", sc.ID, sc.Title, sc.Status, kit.Plural(len(sc.Run.Threads), "thread"), kit.Plural(sc.Counts.Messages, "message"), kit.Plural(sc.Counts.Calls, "call"))
	s := l.msgs.Shown
	if s == nil {
		l.Say("this run has no thread")
		return
	}
	label := sc.Threads[l.thread]
	l.Say("thread %d of %d: %s %s", l.thread+1, len(sc.Threads), label.Kind, label.Name)
	l.aboutCall()
}

// aboutCall says what call this is, how its view is known and what it left out.
func (l *linear) aboutCall() {
	s := l.msgs.Shown
	l.Say("%s of %d, %s: given %s, sent %s", view.CallName(s.Thread, s.Call), len(s.Thread.Calls), view.BasisWords(s).Text,
		view.TallyWords(s.View.Original, s.Exact), view.TallyWords(s.View.Curated, !s.View.Estimated))
	if l.chain.text != "" {
		l.Say("chain: %s", l.chain.gated(l.chain.text))
	}
}
