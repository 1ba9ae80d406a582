package cli

import (
	"context"
	"encoding/json"
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
