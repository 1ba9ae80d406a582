package inspector

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/ui/uitest"
)

// sendLate sends a message and runs some of the queued commands in random order.
func (d *driver) sendLate(msg tea.Msg, r *rand.Rand) {
	d.t.Helper()
	d.update(msg)
	for range r.IntN(4) {
		if len(d.queue) == 0 {
			return
		}
		i := r.IntN(len(d.queue))
		cmd := d.queue[i]
		d.queue = append(d.queue[:i:i], d.queue[i+1:]...)
		if cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case nil, tickMsg, liveMsg, tea.QuitMsg, tea.SuspendMsg:
		case tea.BatchMsg:
			d.queue = append(d.queue, msg...)
		default:
			d.update(msg)
		}
	}
}

// TestAnyKeys presses random keys on every kind of run and at many sizes. After each key, the
// screen must be complete.
func TestAnyKeys(t *testing.T) {
	t.Parallel()
	bare := &model.Run{ID: "bare", Threads: []*model.Thread{model.NewThread("t", "main").Build()}}
	runs := map[string]func(context.Context, source.Options) (*model.Run, error){
		"run": load(uitest.Run()), "documents": load(treeRun()), "empty": load(&model.Run{ID: "empty"}), "bare": load(bare), "code": load(uitest.LongCode(3)),
		"broken": func(context.Context, source.Options) (*model.Run, error) { return nil, errors.New("line 3 is torn") },
	}
	var keys []tea.KeyMsg
	for name, kt := range uitest.Named {
		if name != "ctrl+c" {
			keys = append(keys, tea.KeyMsg{Type: kt})
		}
	}
	for c := '!'; c <= '~'; c++ {
		keys = append(keys, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}})
	}
	keys = append(keys, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("日本 [x")}, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("sliding_window(4)"), Paste: true})
	save := func(c *Config) { c.Save = func(safe.Safe) (string, error) { return "/tmp/x", nil } }
	for name, read := range runs {
		for seed := range uint64(8) {
			r := rand.New(rand.NewPCG(seed, 11))
			d := open(t, 120, 36, save, func(c *Config) { c.Load = read })
			give := func(msg tea.Msg) { d.send(msg) }
			if seed%2 == 1 { // answers arrive late and out of order
				give = func(msg tea.Msg) { d.sendLate(msg, r) }
			}
			for step := range 250 {
				switch n := r.IntN(40); {
				case n == 0:
					give(tea.WindowSizeMsg{Width: 1 + r.IntN(200), Height: 1 + r.IntN(70)})
				case n < 4:
					give(tea.MouseMsg{X: r.IntN(200), Y: r.IntN(70), Button: []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown}[r.IntN(3)], Action: []tea.MouseAction{tea.MouseActionPress, tea.MouseActionMotion, tea.MouseActionRelease}[r.IntN(3)]})
				default:
					give(keys[r.IntN(len(keys))])
				}
				if step%5 == 0 {
					d.Screen()
				}
				if t.Failed() {
					t.Fatalf("%s, seed %d, step %d", name, seed, step)
				}
			}
		}
	}
}
