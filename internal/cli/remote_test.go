package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentlens/internal/cli/failure"
	"agentlens/internal/remote/remotetest"
)

// TestRemote runs commands on a server, as on a file.
func TestRemote(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("PHOENIX_API_KEY", "key-of-the-test")
	address, stop := (&remotetest.Phoenix{Spans: remotetest.Spans(time.Now())}).Serve()
	defer stop()
	address += "/default"
	run := func(code int, args ...string) (out, errOut string) {
		t.Helper()
		var o, e strings.Builder
		if got := Run(context.Background(), args, strings.NewReader(""), &o, &e); got != code {
			t.Errorf("lens %v: exit %d, want %d: %s", args, got, code, e.String())
		}
		return o.String(), e.String()
	}
	ids := func(args ...string) string {
		t.Helper()
		out, _ := run(failure.ExitOK, append([]string{"list", address, "--json"}, args...)...)
		var list struct{ Runs []struct{ ID string } }
		if err := json.Unmarshal([]byte(out), &list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range list.Runs {
			names = append(names, r.ID)
		}
		return strings.Join(names, " ")
	}
	if got := ids(); got != "new talk old" {
		t.Errorf("list: %s", got)
	}
	if got := ids("--since", "2d"); got != "new talk" {
		t.Errorf("since: %s", got)
	}
	if got := ids("--limit", "1"); got != "new" {
		t.Errorf("limit: %s", got)
	}
	if got := ids("--model", "gpt"); got != "new talk old" {
		t.Errorf("model: %s", got)
	}
	_, told := run(failure.ExitOK, "list", address, "--since", "2d", "--min-tokens", "0", "--model", "gpt-4o", "--explain")
	if !strings.Contains(told, "lens: asks Phoenix: GET http://127.0.0.1:") || !strings.Contains(told, "the server answers --since; lens answers --model") {
		t.Errorf("explain: %s", told)
	}
	out, _ := run(failure.ExitOK, "show", address+"#talk")
	if !strings.Contains(out, "2 calls") {
		t.Errorf("show: %s", out)
	}
	if out, _ := run(failure.ExitOK, "show", strings.Replace(address, "/default", "/default/trace/new", 1)); !strings.Contains(out, "hi new") {
		t.Errorf("show of a trace: %s", out)
	}
	if out, _ := run(failure.ExitOK, "search", "hi t1", address); !strings.Contains(out, "hi t1") {
		t.Errorf("search: %s", out)
	}
	if out, _ := run(failure.ExitOK, "stats", address, "--by", "model"); !strings.Contains(out, "gpt-4o") {
		t.Errorf("stats: %s", out)
	}
	for _, c := range []struct{ name, want string }{
		{address + "#none", `no run "none"; it may have been deleted`},
		{"phoenix://127.0.0.1:1/x", "refused the connection"},
		{"redis://host", "lens opens clickhouse://, clickhouses://, langfuse://, phoenix://, postgres://, postgresql://"},
	} {
		if _, told := run(failure.ExitUnreadable, "show", c.name); !strings.Contains(told, c.want) || strings.Count(told, "\n") != 1 {
			t.Errorf("%s: %s", c.name, told)
		}
	}
	if _, told := run(failure.ExitFound, "list", address, "--since", "1m"); !strings.Contains(told, "no run") {
		t.Errorf("nothing: %s", told)
	}
}

// TestRemoteCache checks that --cache fetches a run once for each of its versions, and that no command keeps one without it.
func TestRemoteCache(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", folder)
	t.Setenv("TMPDIR", t.TempDir())
	server := &remotetest.Langfuse{Observations: remotetest.Observations(time.Now())}
	address, stop := server.Serve()
	defer stop()
	fetches := func(args ...string) (n int, out string) {
		t.Helper()
		server.Asked = nil
		var o, e strings.Builder
		if got := Run(context.Background(), args, strings.NewReader(""), &o, &e); got != failure.ExitOK && got != failure.ExitFound {
			t.Errorf("lens %v: exit %d: %s", args, got, e.String())
		}
		for _, asked := range server.Asked {
			if strings.Contains(asked, "io%2C") { // the texts
				n++
			}
		}
		return n, o.String()
	}
	kept := filepath.Join(folder, "lens", "servers")
	show := []string{"show", address + "#new"}
	if n, _ := fetches(show...); n == 0 {
		t.Error("nothing was fetched")
	}
	if _, err := os.Stat(kept); err == nil {
		t.Error("a run was kept without --cache")
	}
	cached := append(show, "--cache")
	if n, _ := fetches(cached...); n == 0 {
		t.Error("nothing was fetched")
	}
	n, out := fetches(cached...)
	if n != 0 || !strings.Contains(out, "hi new") {
		t.Errorf("%d fetches of a run that was kept: %s", n, out)
	}
	server.Observations[3]["input"] = `[{"role":"user","content":"hi again"}]`
	server.Observations[3]["updatedAt"] = "2030-01-01T00:00:00.000Z"
	if n, out := fetches(cached...); n == 0 || !strings.Contains(out, "hi again") {
		t.Errorf("%d fetches of a run that changed: %s", n, out)
	}
	source := address + "#talk"
	for _, args := range [][]string{
		{"list", address},
		{"stats", address},
		{"search", "hi", address},
		{"audit", address},
		{"check", address, "--assert", "messages<100"},
		{"compare", source, "passthrough"},
		{"tune", source, "--budget", "50k"},
		{"export", source},
	} {
		fetches(append(args, "--cache")...)
		if n, _ := fetches(append(args, "--cache")...); n != 0 {
			t.Errorf("lens %s --cache: %d fetches of kept runs", args[0], n)
		}
	}
	files, err := filepath.Glob(filepath.Join(kept, "*"))
	if err != nil || len(files) != 3 {
		t.Errorf("kept %v, %v", files, err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil || strings.Contains(path+string(data), remotetest.SecretKey) || strings.Contains(path+string(data), remotetest.PublicKey) {
			t.Errorf("%s, %v: %s", path, err, data)
		}
	}
	fetches("cache", "clear")
	if _, err := os.Stat(kept); err == nil {
		t.Error("lens cache clear kept runs")
	}
	if n, _ := fetches(cached...); n == 0 {
		t.Error("nothing was fetched after lens cache clear")
	}
}
