package langfuse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"agentlens/internal/remote/store"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// The keys of the tests.
const (
	public = "pk-lf-test"
	secret = "sk-lf-secret-of-the-test"
)

// An api answers as Langfuse does, from observations, with pages of two.
type api struct {
	t            *testing.T
	observations []map[string]any
	old          bool
	asked        []string
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.asked = append(a.asked, r.URL.RequestURI())
	if user, password, _ := r.BasicAuth(); user != public || password != secret {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	q := r.URL.Query()
	answer := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	switch {
	case r.URL.Path == observations && !a.old:
		var fit []map[string]any
		for _, o := range a.observations {
			if a.fits(o, q) {
				fit = append(fit, o)
			}
		}
		from := 0
		_, _ = fmt.Sscan(q.Get("cursor"), &from)
		to := min(from+2, len(fit))
		meta := map[string]any{}
		if to < len(fit) {
			meta["cursor"] = fmt.Sprint(to)
		}
		answer(map[string]any{"data": fit[from:to], "meta": meta})
	case r.URL.Path == traces && a.old:
		seen := map[string]bool{}
		list := []map[string]any{}
		for _, o := range a.observations {
			if id := o["traceId"].(string); !seen[id] && (q.Get("sessionId") == "" || o["sessionId"] == q.Get("sessionId")) {
				seen[id] = true
				list = append(list, map[string]any{"id": id, "name": "greet", "timestamp": o["startTime"], "sessionId": o["sessionId"]})
			}
		}
		answer(map[string]any{"data": list, "meta": map[string]any{"totalPages": 1}})
	case strings.HasPrefix(r.URL.Path, traces+"/") && a.old:
		id := strings.TrimPrefix(r.URL.Path, traces+"/")
		one := map[string]any{"id": id, "name": "greet", "timestamp": "2026-03-01T08:00:00.000Z", "sessionId": nil}
		var inner []map[string]any
		for _, o := range a.observations {
			if o["traceId"] == id {
				inner = append(inner, o)
				one["sessionId"] = o["sessionId"]
			}
		}
		if inner == nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		one["observations"] = inner
		answer(one)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// fits applies the parameters of a request.
func (a *api) fits(o map[string]any, q url.Values) bool {
	at := o["startTime"].(string)
	parse := func(text string) time.Time {
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			a.t.Errorf("%q is no time", text)
		}
		return t
	}
	if from := q.Get("fromStartTime"); from != "" && parse(at).Before(parse(from)) {
		return false
	}
	if to := q.Get("toStartTime"); to != "" && !parse(at).Before(parse(to)) {
		return false
	}
	if f := q.Get("filter"); f != "" {
		var list []map[string]string
		if json.Unmarshal([]byte(f), &list) != nil || list[0]["column"] != "sessionId" {
			a.t.Errorf("filter %s", f)
		}
		if o["sessionId"] != list[0]["value"] {
			return false
		}
	}
	return (q.Get("level") == "" || o["level"] == q.Get("level")) && (q.Get("traceId") == "" || o["traceId"] == q.Get("traceId")) &&
		(q.Get("isRootObservation") == "" || o["parentObservationId"] == nil)
}

func served(t *testing.T, a *api) store.Store {
	t.Helper()
	web := httptest.NewServer(a)
	t.Cleanup(web.Close)
	u, _ := url.Parse(web.URL)
	u.Scheme = "langfuse"
	s, err := Open(context.Background(), u, store.Options{Env: func(name string) string {
		return map[string]string{"LANGFUSE_PUBLIC_KEY": public, "LANGFUSE_SECRET_KEY": secret}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// talk returns the observations of three runs: a failed one in the past, a session of two traces and a new
// one.
func talk(now time.Time) (list []map[string]any) {
	for i, c := range []struct {
		trace string
		about any
		level string
		days  int
	}{{"old", nil, "ERROR", 9}, {"t1", "talk", "DEFAULT", 0}, {"t2", "talk", "DEFAULT", 0}, {"new", nil, "DEFAULT", 0}} {
		at := now.Add(time.Duration(i-30)*time.Minute).AddDate(0, 0, -c.days).UTC()
		list = append(list, map[string]any{
			"id": "o-" + c.trace, "traceId": c.trace, "parentObservationId": nil, "type": "GENERATION", "name": "ask", "sessionId": c.about,
			"startTime": at.Format("2006-01-02T15:04:05.000Z"), "endTime": at.Add(time.Second).Format("2006-01-02T15:04:05.000Z"), "level": c.level, "providedModelName": "gpt-4o",
			"input": `[{"role":"user","content":"hi ` + c.trace + `"}]`, "output": `{"role":"assistant","content":"hello"}`, "usageDetails": map[string]int{"input": 3, "output": 2, "total": 5},
		})
	}
	return list
}

func ids(t *testing.T, s store.Store, f store.Filter) string {
	t.Helper()
	var list []string
	if err := s.List(context.Background(), f, func(e source.Entry) error { list = append(list, e.ID); return nil }); err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, " ")
}

// TestAPI lists and reads runs by both versions of the API.
func TestAPI(t *testing.T) {
	now := time.Now()
	for _, old := range []bool{false, true} {
		s := served(t, &api{t: t, observations: talk(now), old: old})
		recent := "new talk"
		if old { // its fake knows no times
			recent = "new talk old"
		}
		if got := ids(t, s, store.Filter{}); got != "new talk old" {
			t.Errorf("old %v, all: %s", old, got)
		}
		if got := ids(t, s, store.Filter{Since: now.Add(-48 * time.Hour)}); got != recent {
			t.Errorf("old %v, since: %s", old, got)
		}
		if got := ids(t, s, store.Filter{Failed: true}); !old && got != "talk old" { // a session may have failed earlier
			t.Errorf("failed: %s", got)
		}
		src, err := trace.Stored(trace.Place{Name: "langfuse://test", Entries: []source.Entry{{ID: "talk"}}, Fetch: s.Fetch})
		if err != nil {
			t.Fatal(err)
		}
		run, err := src.Load(context.Background(), "talk", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c := run.Counts(); c.Calls != 2 || run.ID != "talk" || run.Format != "langfuse" || len(run.Models()) == 0 && !old {
			t.Errorf("old %v: %s %+v %v", old, run.ID, c, run.Models())
		}
		src.Close()
		if _, err := s.Fetch(context.Background(), "none"); err == nil || !strings.Contains(err.Error(), `no run "none"`) {
			t.Errorf("a run that is not there: %v", err)
		}
	}
}

// TestGenuineTrace compares a genuine trace by the API of traces with its file.
func TestGenuineTrace(t *testing.T) {
	const sample = "../../../../shared/samples/langfuse/claude-agent-2025-12-22.trace.json"
	data, err := os.ReadFile(sample)
	if err != nil {
		t.Skipf("genuine samples are missing: %v", err)
	}
	var file struct {
		Trace        map[string]any   `json:"trace"`
		Observations []map[string]any `json:"observations"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	file.Trace["observations"] = file.Observations
	id := file.Trace["id"].(string)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case traces:
			_, _ = w.Write([]byte(`{"data":[],"meta":{"totalPages":0}}`))
		case traces + "/" + id:
			_ = json.NewEncoder(w).Encode(file.Trace)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer web.Close()
	u, _ := url.Parse(web.URL)
	u.Scheme, u.User = "langfuse", url.UserPassword(public, secret)
	s, err := Open(context.Background(), u, store.Options{Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	remote, err := trace.Stored(trace.Place{Name: "langfuse://test", Entries: []source.Entry{{ID: id}}, Fetch: s.Fetch})
	if err != nil {
		t.Fatal(err)
	}
	defer remote.Close()
	local, err := trace.Open(context.Background(), sample)
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	got, err := remote.Load(context.Background(), id, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := local.Load(context.Background(), local.Entries[0].ID, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Counts() != want.Counts() || got.TotalUsage() != want.TotalUsage() || got.Title != want.Title {
		t.Errorf("%+v %+v %q, want %+v %+v %q", got.Counts(), got.TotalUsage(), got.Title, want.Counts(), want.TotalUsage(), want.Title)
	}
}

// TestFaults checks that each failure is one sentence without a key.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"key", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, "the server refused the key or the password"},
		{"page", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>sign in</html>")) }, "something else than JSON"},
		{"broken", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"data":[`))
		}, "closed the connection in the middle of an answer"},
		{"failure", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			_, _ = w.Write([]byte("\x1b[31mboom\n" + secret))
		}, "the server failed (HTTP 500)"},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, "redirects to another address"},
	} {
		web := httptest.NewServer(c.answer)
		u, _ := url.Parse(web.URL)
		u.Scheme, u.User = "langfuse", url.UserPassword(public, secret)
		_, err := Open(context.Background(), u, store.Options{Env: func(string) string { return "" }})
		var told *source.UnreadableError
		if !errors.As(err, &told) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		web.Close()
	}
	if _, err := Open(context.Background(), &url.URL{Scheme: "langfuse", Host: "127.0.0.1:1"}, store.Options{Env: func(string) string { return "" }}); err == nil || !strings.Contains(err.Error(), "LANGFUSE_PUBLIC_KEY") {
		t.Errorf("no keys: %v", err)
	}
}

// TestCertificate checks that an unknown certificate is refused unless the user allows it.
func TestCertificate(t *testing.T) {
	web := httptest.NewTLSServer(&api{t: t})
	defer web.Close()
	u, _ := url.Parse(web.URL)
	u.Scheme, u.User, u.RawQuery = "langfuse", url.UserPassword(public, secret), "tls=1"
	none := func(string) string { return "" }
	if _, err := Open(context.Background(), u, store.Options{Env: none}); err == nil || !strings.Contains(err.Error(), "unknown authority") {
		t.Errorf("an unknown authority: %v", err)
	}
	s, err := Open(context.Background(), u, store.Options{Env: none, Insecure: true})
	if err != nil {
		t.Fatalf("with --insecure: %v", err)
	}
	s.Close()
}
