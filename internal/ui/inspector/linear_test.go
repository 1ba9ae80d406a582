package inspector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/uitest"
)

// linearly runs commands in the linear mode.
func linearly(t *testing.T, commands ...string) string {
	t.Helper()
	return linearlyOn(t, func(*Config) {}, commands...)
}

func linearlyOn(t *testing.T, change func(*Config), commands ...string) string {
	t.Helper()
	var out bytes.Buffer
	cfg := Config{Name: "x", Gate: uitest.Gate(t), Load: load(uitest.Run()), Window: func(string) int64 { return 128_000 }}
	cfg.Keep = func(string, string) (string, error) { return "/c.toml", nil }
	cfg.Export = func(_ context.Context, _ *export.Document, _ export.Format, path string) (Exported, error) {
		return Exported{Path: path, Level: "strict"}, nil
	}
	change(&cfg)
	if err := Linear(context.Background(), cfg, strings.NewReader(strings.Join(commands, "\n")), &out, "test"); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r == 0x1b || r >= 0x2500 && r <= 0x257f || r >= 0x2580 && r <= 0x259f || r >= 0x2800 && r <= 0x28ff {
			t.Fatalf("%q stands in what is read out:\n%s", r, out.String())
		}
	}
	return out.String()
}

func TestLinear(t *testing.T) {
	all := linearly(t, "", "9", "saw", "", "error", "top", "turn", "call 12", "call 99", "strategy sliding_window(3)", "saw", "next", "strategy slidin", "strategy none", "why",
		"diff", "diff next", "diff call 3", "diff call 99", "diff other", "call 9", "strategy truncate_tool_results(60)", "diff", "strategy none", "call next", "diff next", "find LX-2291", "threads", "thread 3", "history", "", "", "back", "documents", "document 1", "document 7", "nonsense", "help", "4", "quit", "after the end")
	uitest.Golden(t, "linear.txt", all)
	for _, want := range []string{
		"lens, linear mode (test)", "call 13 of 13, reconstructed: given 34 messages", "1 user: Book a room", "[calls search(", "failed]", "(dropped", "marker: compaction",
		"12 messages left out by", "user, added: Summary", "there is no call 99: they go from 1 to 13", "simulated", "no strategy", "full history against what the provider saw", "gone: 1 user", "new: 32 assistant", "changed: 5 tool", "[removed: ", "[added: ", "cannot be compared: no other run", "there is none after it", "3 rows found", "there is no command \"nonsense\"", "quit: leave",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not said", want)
		}
	}
	if strings.Contains(all, uitest.Secret()) || strings.Contains(all, "after the end") {
		t.Error("it says too much")
	}
}

// What a view leaves out is told with every reason there is, not with the first one.
func TestLinearReasons(t *testing.T) {
	all := linearly(t, "call 5", "strategy sliding_window(7)", "saw", "", "")
	if want := "6 messages left out by sliding_window(7): older than the last 7 messages (4); its call is not kept (2)\n"; !strings.Contains(all, want) {
		t.Errorf("no %q in\n%s", want, all)
	}
}

func TestLinearEnds(t *testing.T) {
	if out := linearly(t); !strings.HasSuffix(out, "lens> \n") {
		t.Errorf("it ends with %q", out)
	}
}

// Every command of the list does something, and help tells of it.
func TestLinearCommands(t *testing.T) {
	takes := map[string]string{"message": "3", "call": "2", "strategy": "sliding_window(4)", "find": "Lisbon", "thread": "2", "document": "1", "fit": "half", "setting": "anthropic", "keep": "mine", "export": "out.md"}
	help := linearly(t, "help")
	idle := linearly(t, "strategy clear_tool_uses(20k)")
	for _, c := range linearTable() {
		if out := linearly(t, "strategy clear_tool_uses(20k)", strings.TrimSpace(c.name+" "+takes[c.name])); len(out) <= len(idle) && c.name != "quit" || strings.Contains(out, "there is no") {
			t.Errorf("%s says %q", c.name, out)
		}
		if !strings.Contains(help, strings.TrimSpace(c.name+" "+c.takes)+": "+c.help) {
			t.Errorf("help does not tell of %s", c.name)
		}
		if (c.takes == "") != (takes[c.name] == "") {
			t.Errorf("%s takes %q", c.name, c.takes)
		}
	}
	for short, long := range linearShort {
		if linearly(t, short, "about") != linearly(t, long, "about") {
			t.Errorf("%q is not %s", short, long)
		}
	}
	if !strings.Contains(linearly(t, "call"), "there is no call: they go from 1 to 13") {
		t.Error("call alone is not told what it may be")
	}
	if !strings.Contains(linearly(t, "message x", "message 999"), "message needs a number: they go from 0 to 34") {
		t.Error("message takes anything")
	}
}

// The tasks of the inspector, by a screen reader.
func TestLinearTasks(t *testing.T) {
	var wrote []string
	kept := ""
	cfg := Config{
		Name: "demo", Gate: uitest.Gate(t), Call: 33, Window: func(string) int64 { return 150_000 },
		Export: func(_ context.Context, work *export.Document, f export.Format, path string) (Exported, error) {
			wrote = append(wrote, fmt.Sprint(f.Name, " ", path, " ", work.View != nil))
			return Exported{Path: "/here/" + path, Level: "strict", Masked: 2}, nil
		},
		Keep: func(name, chain string) (string, error) { kept = name + " = " + chain; return "/c.toml", nil },
	}
	withDemo(&cfg)
	in := []string{
		"top", "error", "half", "why", "fit half", "compare", "setting anthropic", "setting nothing", "keep claude-code", "keep mine",
		"export out.md", "export view out.html", "export view request.gemini.json", "export nothing", "export out.openai.json", "strategy none", "setting chain", "fit nothing", "quit",
	}
	var out bytes.Buffer
	if err := Linear(context.Background(), cfg, strings.NewReader(strings.Join(in, "\n")), &out, "test"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"is the first past half of 150k: 7", "beside the messages ~21.3k", "half of 7", ": ~3", "chain: truncate_tool_results(",
		"as recorded: here ~", ", sent ~929k, peak ~54.4k, saved 69%", "passthrough: here", "@claude-code", "nothing of truncate_tool_results(2047) can be written as a setting of anthropic", "no settings of kind", "a chain of lens's own", "kept: @mine stands for the chain",
		"2 secrets masked (level strict), written to /here/out.md", "written to /here/request.gemini.json", "export takes the name of a new file", "no chain is tried", "a size is half",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said in\n%s", want, out.String())
		}
	}
	if got := strings.Join(wrote, ", "); got != "md out.md false, html out.html true, gemini request.gemini.json true, json out.openai.json false" {
		t.Errorf("wrote %s", got)
	}
	if !strings.HasPrefix(kept, "mine = truncate_tool_results(") {
		t.Errorf("kept %s", kept)
	}
}

// tornBodies cannot read one text.
type tornBodies struct {
	model.Bodies
	at  model.Ref
	err error
}

func (b tornBodies) Body(ref model.Ref) (string, error) {
	if ref == b.at {
		return "", b.err
	}
	return b.Bodies.Body(ref)
}

// What rests on texts that cannot be read says so.
func TestLinearSaysWhatCannotBeRead(t *testing.T) {
	run := uitest.Run()
	run.Bodies = tornBodies{run.Bodies, run.Threads[0].At(1).Parts[0].Body, errors.New("session.jsonl: byte 7 is torn")}
	out := linearlyOn(t, func(c *Config) { c.Load = load(run) }, "find LX-2291", "call 3", "top")
	for _, want := range []string{"3 rows found\nsome texts could not be read: session.jsonl: byte 7 is torn\n", "1 user: [unreadable: session.jsonl: byte 7 is torn]"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said in\n%s", want, out)
		}
	}
	if n := strings.Count(out, "figures stay estimates: "); n != 1 || !strings.Contains(out, "byte 7 is torn\nrun run_conv_0002") {
		t.Errorf("figures stay estimates: said %d times in\n%s", n, out)
	}
}

// What the linear mode says names its own commands, never keys of the screen.
func TestLinearNamesNoKeys(t *testing.T) {
	out := linearlyOn(t, func(c *Config) {
		c.Open = func(_ context.Context, name string) (*model.Run, func(), error) {
			if name != "other" {
				return nil, nil, fs.ErrNotExist
			}
			return uitest.Run(), func() {}, nil
		}
	}, "keep mine", "setting anthropic", "diff other", "diff other loop", "fit half", "fit nothing", "half", "compare", "export nothing", "keep mine")
	for _, want := range []string{"no chain is tried: strategy CHAIN tries one\nlens> no chain is tried: strategy CHAIN tries one", "one of 3; diff RUN THREAD takes another", "thread loop-clarify, one of 3; diff RUN THREAD", "kept: @mine"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said in\n%s", want, out)
		}
	}
	for _, key := range []string{"s types one", "S builds", ":diff", "v shows", "i says", "1 shows", "/ begins"} {
		if strings.Contains(out, key) {
			t.Errorf("%q is said in\n%s", key, out)
		}
	}
}

// What a compaction did is told of its marker, and lines of a diff that are left out are
// said to be.
func TestLinearTellsOfMarkersAndFolds(t *testing.T) {
	cfg := Config{Name: "demo", Gate: uitest.Gate(t), Call: 33}
	withDemo(&cfg)
	cfg.Call = 35
	var out bytes.Buffer
	in := "top\nmarker\nmarker\nwhy\nstrategy truncate_tool_results(300)\ndiff\npending\nquit\n"
	if err := Linear(context.Background(), cfg, strings.NewReader(in), &out, "test"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kind: compaction", "dropped: 80 messages", "of the view:", "lines left out here", "there are no pending calls in this thread"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said", want)
		}
	}
}
