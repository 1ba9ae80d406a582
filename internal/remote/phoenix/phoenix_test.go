package phoenix

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"agentlens/internal/remote/store"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// An api answers as Phoenix does, with pages of two. An old one ignores filters on spans and knows no sessions.
type api struct {
	spans []map[string]any
	old   bool
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer key-of-the-test" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	q := r.URL.Query()
	switch {
	case r.URL.Path == "/v1/projects":
		_, _ = w.Write([]byte(`{"data":[{"id":"1","name":"default"},{"id":"2","name":"other"}],"next_cursor":null}`))
	case r.URL.Path == "/v1/projects/default/spans":
		var fit []map[string]any
		for _, s := range a.spans {
			trace := s["context"].(map[string]any)["trace_id"]
			at, _ := time.Parse(time.RFC3339, s["start_time"].(string))
			from, _ := time.Parse(time.RFC3339Nano, q.Get("start_time"))
			out := at.Before(from)
			if !a.old {
				out = out || q.Get("trace_id") != "" && trace != q.Get("trace_id") || q.Get("status_code") != "" && s["status_code"] != q.Get("status_code") || q.Get("parent_id") == "null" && s["parent_id"] != nil
			}
			if !out {
				fit = append(fit, s)
			}
		}
		from := 0
		_, _ = fmt.Sscan(q.Get("cursor"), &from)
		to := min(from+2, len(fit))
		var cursor any
		if to < len(fit) {
			cursor = fmt.Sprint(to)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": fit[from:to], "next_cursor": cursor})
	case r.URL.Path == "/v1/sessions/talk" && !a.old:
		_, _ = w.Write([]byte(`{"data":{"session_id":"talk","traces":[{"id":"x","trace_id":"t1"},{"id":"y","trace_id":"t2"}]}}`))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func spansOf(now time.Time) (list []map[string]any) {
	for i, c := range []struct {
		trace, about, status string
		days                 int
	}{{"old", "", "ERROR", 9}, {"t1", "talk", "OK", 0}, {"t2", "talk", "OK", 0}, {"new", "", "OK", 0}} {
		at := now.Add(time.Duration(i-30)*time.Minute).AddDate(0, 0, -c.days).UTC().Format(time.RFC3339)
		attributes := map[string]any{"llm.model_name": "gpt-4o", "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "hi " + c.trace,
			"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "hello", "openinference.span.kind": "LLM"}
		if c.about != "" {
			attributes["session.id"] = c.about
		}
		list = append(list, map[string]any{"id": fmt.Sprint(i), "name": "ask", "context": map[string]any{"trace_id": c.trace, "span_id": "s" + c.trace}, "span_kind": "LLM", "parent_id": nil,
			"start_time": at, "end_time": at, "status_code": c.status, "status_message": "", "attributes": attributes, "events": []any{}})
	}
	return list
}

func opened(t *testing.T, a *api, path string) (store.Store, error) {
	web := httptest.NewServer(a)
	t.Cleanup(web.Close)
	u, _ := url.Parse(web.URL)
	u.Scheme, u.Path = "phoenix", path
	return Open(context.Background(), u, store.Options{Env: func(name string) string {
		return map[string]string{"PHOENIX_API_KEY": "key-of-the-test"}[name]
	}})
}

// TestAPI lists and reads runs of a new and of an old server.
func TestAPI(t *testing.T) {
	now := time.Now()
	for _, old := range []bool{false, true} {
		s, err := opened(t, &api{spans: spansOf(now), old: old}, "/default")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			f    store.Filter
			want string
		}{
			{store.Filter{}, "new talk old"},
			{store.Filter{Since: now.Add(-48 * time.Hour)}, "new talk"},
			{store.Filter{Failed: true}, "talk old"}, // a session may have failed earlier
			{store.Filter{Limit: 1}, "new"},
		} {
			var got []string
			if err := s.List(context.Background(), c.f, func(e source.Entry) error { got = append(got, e.ID); return nil }); err != nil {
				t.Fatal(err)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("old %v, %+v: %v, want %s", old, c.f, got, c.want)
			}
		}
		id, calls := "talk", 2
		if old { // it knows no sessions
			id, calls = "new", 1
		}
		src, err := trace.Stored(trace.Place{Name: "phoenix://test", Entries: []source.Entry{{ID: id}}, Fetch: s.Fetch})
		if err != nil {
			t.Fatal(err)
		}
		run, err := src.Load(context.Background(), id, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c := run.Counts(); c.Calls != calls || run.ID != id || run.Format != "otlp-genai" {
			t.Errorf("old %v: %s %+v", old, run.ID, c)
		}
		src.Close()
		s.Close()
	}
}

// TestFaults checks the errors of a wrong project and a wrong key.
func TestFaults(t *testing.T) {
	for path, want := range map[string]string{"/none": "the server has no project none; it has default, other", "": "the address names no project; the server has default, other"} {
		if _, err := opened(t, &api{}, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", path, err)
		}
	}
	web := httptest.NewServer(&api{})
	defer web.Close()
	u, _ := url.Parse(web.URL)
	u.Scheme = "phoenix"
	if _, err := Open(context.Background(), u, store.Options{Env: func(string) string { return "" }}); err == nil || !strings.Contains(err.Error(), "refused the key") {
		t.Errorf("no key: %v", err)
	}
}
