package inspector

import (
	"math/rand/v2"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/uitest"
)

// typedKeys returns the keys that type s, followed by the named keys.
func typedKeys(s string, last ...string) []tea.KeyMsg {
	var list []tea.KeyMsg
	for _, c := range s {
		list = append(list, uitest.Key(string(c)))
	}
	for _, k := range last {
		list = append(list, uitest.Key(k))
	}
	return list
}

// TestAnyKeysFromThreadToThread changes threads while answers arrive late and out of order. Answers
// for another thread must not break anything.
func TestAnyKeysFromThreadToThread(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	t.Parallel()
	walks := [][]tea.KeyMsg{
		typedKeys("1j", "enter"), typedKeys("1k", "enter"), typedKeys("2", "ctrl+o"),
		typedKeys(":call 2", "enter"), typedKeys(":call next", "enter"), typedKeys(":fit half", "enter"), typedKeys(":fit 2k", "enter"),
		typedKeys(":strategy sliding_window(4)", "enter"), typedKeys(":strategy none", "enter"), typedKeys("/the", "enter"), typedKeys(":diff call 1", "enter"),
		typedKeys("%"), typedKeys("i"), typedKeys("d"), typedKeys("C"), typedKeys("]"), typedKeys("["), typedKeys("{"), typedKeys("}"), typedKeys("n"), typedKeys("b"), typedKeys("T"), typedKeys("v"), typedKeys("S"),
		typedKeys("", "enter"), typedKeys("", "esc"), typedKeys("", "esc", "esc"), typedKeys("G"), typedKeys("g"), typedKeys("+"), typedKeys("R"), typedKeys("y"), typedKeys("d|lh"), typedKeys("|"), typedKeys("l"), typedKeys("h"), typedKeys("."), typedKeys("?/q", "enter"),
	}
	long := func(c *Config) {
		c.Load, c.Chain = load(uitest.Long(4000)), "truncate_tool_results(3) | sliding_window(3000)" // commands lay out its diff
	}
	for name, change := range map[string]func(*Config){"demo": withDemo, "run": func(*Config) {}, "long": long} {
		for seed := range uint64(5) {
			r := rand.New(rand.NewPCG(seed, 12))
			d := open(t, 120, 36, change, func(c *Config) { c.Save = func(safe.Safe) (string, error) { return "/tmp/x", nil } })
			for step := range 150 {
				walk := walks[r.IntN(len(walks))]
				if step%3 == 0 {
					threads := d.r.Labels.Run.Threads
					walk = append(typedKeys("", "esc", "esc", "esc"), typedKeys(":thread "+threads[r.IntN(len(threads))].ID, "enter")...)
				}
				for _, k := range walk {
					if r.IntN(3) == 0 {
						d.sendLate(k, r)
					} else {
						d.update(k)
					}
				}
				if r.IntN(10) == 0 {
					d.update(tea.WindowSizeMsg{Width: 50 + r.IntN(150), Height: 12 + r.IntN(50)})
				}
				d.Screen()
				if t.Failed() {
					t.Fatalf("%s, seed %d, step %d", name, seed, step)
				}
			}
			if d.send(nil); t.Failed() {
				t.Fatalf("%s, seed %d, at the end", name, seed)
			}
			d.Screen()
		}
	}
}
