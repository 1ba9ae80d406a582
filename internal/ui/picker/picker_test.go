package picker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/uitest"
)

// pickerOf returns a picker with n runs.
func pickerOf(t testing.TB, n int) *Picker {
	t.Helper()
	gate := uitest.Gate(t)
	p := New(Config{Gate: gate, Where: "here"})
	p.th = kit.NewTheme(false, kit.NoColour)
	p.Update(tea.WindowSizeMsg{Width: 120, Height: 24})
	var rows []catalog.Row
	for i := range n {
		row := catalog.Row{
			ID: gate.JSON(fmt.Sprintf("run-%03d", i)), Title: gate.JSON(fmt.Sprintf("Task %d\x1b[31m: mend the %s", i, []string{"parser", "lexer", "garden gate"}[i%3])),
			Format: []string{"codex", "pi"}[i%2], Status: model.StatusUnknown, Counts: model.Counts{Messages: i},
		}
		row.Usage.Set(model.UsageInput, int64(1000*(n-i)))
		row.Usage.Set(model.UsageOutput, 0)
		rows = append(rows, row)
	}
	p.Update(rowsMsg{rows: rows, last: true})
	return p
}

// pressed presses keys and returns the screen.
func pressed(p *Picker, keys ...string) string {
	for _, k := range keys {
		p.Update(uitest.Key(k))
	}
	return uitest.Plain(p.View())
}

// cursorLine returns the line of the screen with the cursor.
func cursorLine(screen string) string {
	for _, l := range strings.Split(screen, "\n") {
		if strings.HasPrefix(l, "▎") {
			return l
		}
	}
	return ""
}

func TestPicker(t *testing.T) {
	p := pickerOf(t, 300)
	screen := pressed(p)
	if strings.Contains(screen, "\x1b") || !strings.Contains(screen, "300 runs") || !strings.Contains(cursorLine(screen), "Task 0") {
		t.Errorf("wrong list:\n%s", screen)
	}
	if line := cursorLine(pressed(p, "down", "pgdown", "up")); !strings.Contains(line, "Task 19") {
		t.Errorf("the cursor moved to %q", line)
	}
	screen = pressed(p, "l", "e", "x", "e", "r", " ", "p", "i")
	if !strings.Contains(screen, "50 runs of 300") || !strings.Contains(cursorLine(screen), "Task 1␛[31m: mend the lexer") {
		t.Errorf("filtered:\n%s", screen)
	}
	if line := cursorLine(pressed(p, "end")); !strings.Contains(line, "Task 295") {
		t.Errorf("end moves to %q", line)
	}
	p.Update(tea.KeyMsg{Type: tea.KeyEnter})
	if p.Chosen != 295 {
		t.Errorf("enter chooses run %d", p.Chosen)
	}
	if screen := pressed(p, "esc"); !strings.Contains(screen, "300 runs") {
		t.Errorf("esc does not clear the filter:\n%s", screen)
	}
}

func TestPickerRanksScatteredLettersLast(t *testing.T) {
	p := pickerOf(t, 30)
	screen := pressed(p, "g", "g", "t")
	if !strings.Contains(screen, "10 runs of 30") || !strings.Contains(cursorLine(screen), "garden gate") {
		t.Errorf("scattered letters:\n%s", screen)
	}
	if screen := pressed(p, "q", "q", "q"); !strings.Contains(screen, "no run fits") {
		t.Errorf("no match:\n%s", screen)
	}
}

func TestPickerSorts(t *testing.T) {
	p := pickerOf(t, 50)
	if line := cursorLine(pressed(p, "tab", "home")); !strings.Contains(line, "Task 0") || !strings.Contains(pressed(p), "by tokens") {
		t.Errorf("sorted by tokens, the first run is %q", line)
	}
	if line := cursorLine(pressed(p, "tab", "tab", "home")); !strings.Contains(line, "Task 49") {
		t.Errorf("sorted by messages, the first run is %q", line)
	}
}

// The picker fills screens of every size.
func TestPickerSizes(t *testing.T) {
	p := pickerOf(t, 40)
	for _, size := range [][2]int{{20, 5}, {60, 10}, {80, 24}, {120, 36}, {200, 60}, {1, 1}} {
		p.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		lines := strings.Split(pressed(p, "down"), "\n")
		if len(lines) != size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
	}
}

// The preview shows the end of the run under the cursor, or why the run is unreadable.
func TestPickerPreview(t *testing.T) {
	p := pickerOf(t, 30)
	closed := 0
	p.cfg.Preview = func(_ context.Context, row *catalog.Row) (*model.Run, func(), error) {
		if row.ID.Line().String() == "run-001" {
			return nil, nil, errors.New("line 3 is torn")
		}
		return uitest.Run(), func() { closed++ }, nil
	}
	p.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	look := func(keys ...string) string {
		screen := pressed(p, keys...)
		if cmd := p.readPreview(restMsg{p.peek.moved}); cmd != nil {
			p.Update(cmd())
			screen = pressed(p)
		}
		return screen
	}
	screen := look()
	uitest.Golden(t, "picker-120x30.txt", screen+"\n")
	if !strings.Contains(screen, "the last messages") || !strings.Contains(screen, "Seven dinners are noted.") || closed != 1 {
		t.Errorf("wrong preview, %d runs closed:\n%s", closed, screen)
	}
	if screen := look("down"); !strings.Contains(screen, "line 3 is torn") {
		t.Errorf("unreadable run:\n%s", screen)
	}
	if p.readPreview(restMsg{p.peek.moved - 1}) != nil {
		t.Error("the picker reads a row that the cursor has left")
	}
	if screen := look("ctrl+t"); strings.Contains(screen, "the last messages") {
		t.Errorf("ctrl-t does not hide the preview:\n%s", screen)
	}
}

func BenchmarkPicker(b *testing.B) {
	p := pickerOf(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		p.Update(tea.KeyMsg{Type: tea.KeyDown})
		p.View()
	}
}
