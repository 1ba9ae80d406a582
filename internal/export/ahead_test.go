package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
)

// TestAheadAgainstInTurn compares documents whose texts are read ahead with those whose texts are read in turn, as with one
// processor.
func TestAheadAgainstInTurn(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	var arena source.Arena
	b := model.NewThread("t", "main")
	lost := model.Ref{Off: 1 << 40, Len: 2000}
	for i := range 80 {
		role := []model.Role{model.User, model.Assistant, model.Tool, model.System}[rnd.IntN(4)]
		text := ""
		for range rnd.IntN(60) {
			text += []string{
				"some words of a text ", "``` and\n\n", "password=Zk3vQ9tLw7xYb2Hd\n", "\tZk3vQ9tLw7xYb2Hd ", "é→\n", "\x1b[0m",
				"API_TOKEN=\"" + fmt.Sprint("x8Rt", i%7, "mQ2vBn9Lp4") + "\"\n", strings.Repeat("longer ", 30),
			}[rnd.IntN(8)]
		}
		body := arena.Add(text, fmt.Sprint(i))
		if i%40 == 9 {
			body = lost
		}
		b.Add(model.Message{Role: role, Parts: []model.Part{{Kind: model.Text, Body: body}}})
	}
	run := &model.Run{ID: "r", Threads: []*model.Thread{b.Build()}, Bodies: &arena}
	for name, write := range map[string]func(io.Writer, *safe.Gate, *Document) error{"transcript": Transcript, "md": Markdown, "html": HTML} {
		if testing.Short() && name != "md" {
			continue // all three read ahead alike
		}
		for _, leave := range []Leave{{}, {Results: true}} {
			var outs [2]string
			for k, processors := range []int{1, 3} {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
				g := newGate(t)
				g.Remember()
				if err := Learn(context.Background(), g, run); err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := write(&out, g, &Document{Run: run, Threads: run.Threads, Leave: leave}); err != nil {
					t.Fatal(err)
				}
				outs[k] = out.String()
			}
			if outs[0] != outs[1] {
				t.Errorf("%s, %+v: the documents differ", name, leave)
			}
			if !strings.Contains(outs[0], "[REDACTED:") || strings.Contains(outs[0], "Zk3vQ9tLw7xYb2Hd") {
				t.Errorf("%s: no masks", name)
			}
		}
	}
}

// TestAheadPanics checks that a panic of a goroutine is one of the walker.
func TestAheadPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.User, Parts: []model.Part{{Kind: model.Text, Body: model.Ref{Off: 1, Len: 2000}}}})
	g := newGate(t)
	g.Remember()
	a := newAhead(&model.Run{Bodies: faulty{}}, b.Build(), g)
	defer a.close()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	a.take()
}

// faulty is a source whose texts cannot be read without a panic.
type faulty struct{ model.Bodies }

// TestParts compares what is measured of texts in parts with what is measured of whole ones.
func TestParts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 6))
	d := &drawer{gate: newGate(t)}
	longs := 0
	for range 3000 {
		var parts []safe.Safe
		for range 1 + rnd.IntN(5) {
			part := ""
			for range rnd.IntN(12) {
				part += []string{"\n", " \t", "word ", "--- ", "é", "\u00a0", "`", strings.Repeat("-", rnd.IntN(900)), "a long line of words\n"}[rnd.IntN(9)]
			}
			parts = append(parts, d.gate.Revealed(part))
		}
		text := safe.Whole(parts)
		lines, characters := sizeOfParts(parts)
		if want := strings.Count(strings.TrimRight(text.String(), "\n"), "\n") + 1; lines != want || characters != text.Characters() {
			t.Fatalf("%q: %d lines, %d characters, want %d and %d", parts, lines, characters, want, text.Characters())
		}
		if areLong(parts) != long(text.String()) {
			t.Fatalf("%q: %t", parts, areLong(parts))
		}
		if long(text.String()) {
			longs++
		}
		if got, want := d.firstLine(beginning(parts)), d.firstLine(text.String()); got != want {
			t.Fatalf("%q: first line %q, want %q", parts, got, want)
		}
	}
	if longs < 300 {
		t.Errorf("only %d long texts", longs)
	}
}
