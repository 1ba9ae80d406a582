package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentlens/internal/export/exporttest"
)

// A browser is a headless Chromium that is driven through pipes.
type browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	session string
	n       int
	faults  []string // of the page that is open: violations, dialogs, errors, requests
	loads   int
}

// answer is a message of the browser.
type answer struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func newBrowser(t *testing.T, path string) *browser {
	t.Helper()
	ours, toThem, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromThem, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{ours, theirs}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ours.Close()
	theirs.Close()
	b := &browser{t: t, in: toThem, out: bufio.NewReaderSize(fromThem, 1<<16)}
	t.Cleanup(func() {
		_, _ = fmt.Fprintf(toThem, `{"id":1000000,"method":"Browser.close"}`+"\x00")
		_ = cmd.Wait()
		stop()
	})
	var target struct{ TargetID string }
	b.into(&target, "Target.createTarget", map[string]any{"url": "about:blank"})
	var attached struct{ SessionID string }
	b.into(&attached, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network", "Audits"} {
		b.do(domain+".enable", nil)
	}
	return b
}

func (b *browser) into(v any, method string, params map[string]any) {
	b.t.Helper()
	if err := json.Unmarshal(b.do(method, params), v); err != nil {
		b.t.Fatal(err)
	}
}

// do sends a command and returns its result.
func (b *browser) do(method string, params map[string]any) json.RawMessage {
	b.t.Helper()
	b.n++
	message := map[string]any{"id": b.n, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	raw, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(raw, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		a := b.read()
		if a.ID != b.n {
			continue
		}
		if a.Error != nil {
			b.t.Fatalf("%s: %s", method, a.Error.Message)
		}
		return a.Result
	}
}

// read reads the next message and notes faults.
func (b *browser) read() (a answer) {
	b.t.Helper()
	raw, err := b.out.ReadBytes(0)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &a); err != nil {
		b.t.Fatal(err)
	}
	switch a.Method {
	case "Page.loadEventFired":
		b.loads++
	case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Audits.issueAdded", "Page.javascriptDialogOpening":
		b.faults = append(b.faults, a.Method+" "+string(a.Params[:min(len(a.Params), 300)]))
	case "Network.requestWillBeSent":
		var p struct{ Request struct{ URL string } }
		_ = json.Unmarshal(a.Params, &p)
		if !strings.HasPrefix(p.Request.URL, "file://"+os.TempDir()) && p.Request.URL != "about:blank" {
			b.faults = append(b.faults, "request of "+p.Request.URL[:min(len(p.Request.URL), 100)])
		}
	}
	return a
}

// open opens a page and waits until it is loaded.
func (b *browser) open(url string, width int, dark bool) {
	b.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.do("Page.navigate", map[string]any{"url": "about:blank"})
	b.faults = nil
	b.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
	b.media("screen", scheme)
	before := b.loads
	b.do("Page.navigate", map[string]any{"url": url})
	for b.loads == before {
		b.read()
	}
	b.js("document.querySelectorAll('details').forEach(d => d.open = true)")
}

func (b *browser) media(media, scheme string) {
	b.do("Emulation.setEmulatedMedia", map[string]any{"media": media, "features": []any{map[string]string{"name": "prefers-color-scheme", "value": scheme}}})
}

// js returns the value of an expression as JSON.
func (b *browser) js(expression string) string {
	b.t.Helper()
	var r struct {
		Result struct{ Value json.RawMessage }
	}
	b.into(&r, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
	return string(r.Result.Value)
}

// is checks the value of an expression.
func (b *browser) is(expression, want string) {
	b.t.Helper()
	if got := b.js(expression); got != want {
		b.t.Errorf("%s is %s, want %s", expression, got, want)
	}
}

// TestBrowser opens exported pages in the Chromium that LENS_BROWSER names: nothing runs, nothing is loaded, no
// rule of the page's policy is broken, every link leads to a place of the page, and no page is wider than its
// screen.
func TestBrowser(t *testing.T) {
	path := os.Getenv("LENS_BROWSER")
	if path == "" {
		t.Skip("LENS_BROWSER names no Chromium")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	b := newBrowser(t, path)
	pages := pagesToOpen(t)
	for _, page := range pages {
		for _, width := range []int{390, 1280} {
			b.open("file://"+page, width, width < 600)
			b.is("document.documentElement.scrollWidth", fmt.Sprint(width))
			b.is("document.querySelectorAll('img,script,iframe,object,embed,form,input,link,base,video,audio,canvas,[onload],[onclick],[style]').length", "0")
			b.is("[...document.querySelectorAll('a')].filter(a => !a.getAttribute('href').startsWith('#') || !document.getElementById(a.getAttribute('href').slice(1))).length", "0")
			b.is("[...document.querySelectorAll('[id]')].length - new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size", "0")
			b.is("['h1','main','nav','footer'].map(n => document.querySelectorAll(n).length).join()", `"1,1,1,1"`)
			for _, f := range b.faults {
				t.Errorf("%s at %d: %s", filepath.Base(page), width, f)
			}
		}
	}
	demo := "file://" + pages[0]
	t.Run("a call is chosen", func(t *testing.T) { b.t = t; choosesCalls(b, demo) })
	t.Run("everything is printed", func(t *testing.T) { b.t = t; printsAll(b, demo) })
}

// pagesToOpen writes the pages of the built-in run and of hostile records.
func pagesToOpen(t *testing.T) (pages []string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, args ...string) {
		var said bytes.Buffer
		path := filepath.Join(dir, name)
		if code := Run(context.Background(), append([]string{"export", "--level", "off", "--output", path}, args...), strings.NewReader(""), io.Discard, &said); code != 0 {
			t.Fatalf("%s: %s", name, said.String())
		}
		pages = append(pages, path)
	}
	write("demo.html", "demo")
	write("call.html", "demo", "--call", "35")
	write("range.html", "demo", "--messages", "80..90")
	write("chain.html", "demo", "--call", "30", "--strategy", "truncate_tool_results(300) | sliding_window(10)")
	hostile := append(exporttest.Payloads(), strings.Join(exporttest.Payloads(), "\n"), strings.Repeat("<b>x ", 1<<16))
	for i, payload := range hostile {
		path := filepath.Join(dir, fmt.Sprintf("hostile%d.json", i))
		if err := os.WriteFile(path, []byte(exporttest.Chat("run", payload)), 0o600); err != nil {
			t.Fatal(err)
		}
		write(fmt.Sprintf("hostile%d.html", i), path)
	}
	return pages
}

// choosesCalls follows the links of calls: the page shows what the call was sent.
func choosesCalls(b *browser, page string) {
	shown := func(id string) string {
		return "(e => e.offsetParent !== null && [...e.children].slice(1).some(c => c.offsetParent !== null))(document.getElementById('" + id + "'))"
	}
	b.open(page+"#call-35", 1280, false)
	for id, want := range map[string]string{"m5": "false", "m79": "false", "m81": "true", "m84": "true", "m85": "false", "m128": "false"} {
		b.is(shown(id), want)
	}
	b.js("location.hash = '#call-20'")
	for id, want := range map[string]string{"m5": "true", "m49": "true", "m60": "false"} {
		b.is(shown(id), want)
	}
	b.js("location.hash = '#history'")
	for id, want := range map[string]string{"m5": "true", "m60": "true", "m128": "true"} {
		b.is(shown(id), want)
	}
}

// printsAll checks that folded texts are printed.
func printsAll(b *browser, page string) {
	b.open(page, 1280, false)
	b.js("document.querySelectorAll('details').forEach(d => d.open = false)")
	const hidden = "[...document.querySelectorAll('main pre')].filter(e => !e.checkVisibility({contentVisibilityAuto: true})).length"
	if b.js(hidden) == "0" {
		b.t.Error("nothing is folded on the screen")
	}
	b.media("print", "light")
	b.is(hidden, "0")
}
