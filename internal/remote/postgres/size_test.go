package postgres

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"agentlens/internal/remote/remotetest"
	"agentlens/internal/remote/store"
)

// rowsAtSize is the number of spans or checkpoints of TestReadsLittle, unless LENS_STORE_ROWS is set. The
// heavy check asks for a million.
const rowsAtSize = 20_000

func sizeOf(t *testing.T) int {
	if text := os.Getenv("LENS_STORE_ROWS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		t.Skip("a large table")
	}
	return rowsAtSize
}

// plan returns the pages that a statement reads and those of the tables, from the server's EXPLAIN.
func plan(t *testing.T, u *url.URL, q store.Query, tables ...string) (read, all, rowsRead int, text string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "EXPLAIN (ANALYZE, BUFFERS) "+q.Text, append([]any{pgx.QueryExecModeExec}, q.Args...)...)
	if err != nil {
		t.Fatal(err)
	}
	first, scanned, loops := true, false, 1
	for rows.Next() {
		line := string(rows.RawValues()[0])
		text += line + "\n"
		if at := strings.Index(line, "(actual "); at >= 0 {
			var n int
			if _, err := fmt.Sscanf(line[strings.Index(line[at:], " rows=")+at:], " rows=%d loops=%d", &n, &loops); err == nil {
				if scanned = strings.Contains(line, "Scan"); scanned && !strings.Contains(line, "Bitmap Index") {
					rowsRead += n * loops
				}
			}
		}
		var removed int
		if n, _ := fmt.Sscanf(trimmed(line), "Rows Removed by Filter: %d", &removed); n == 1 && scanned {
			rowsRead += removed * loops
		}
		var hit, miss int
		if n, _ := fmt.Sscanf(trimmed(line), "Buffers: shared hit=%d read=%d", &hit, &miss); n == 0 {
			_, _ = fmt.Sscanf(trimmed(line), "Buffers: shared read=%d", &miss)
		}
		if first && hit+miss > 0 { // those of the outermost step
			read, first = hit+miss, false
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		var pages int
		if err := conn.QueryRow(ctx, "SELECT pg_total_relation_size($1::regclass) / 8192", table).Scan(&pages); err != nil {
			t.Fatal(err)
		}
		all += pages
	}
	return read, all, rowsRead, text
}

func trimmed(line string) string {
	for len(line) > 0 && line[0] == ' ' {
		line = line[1:]
	}
	return line
}

// TestReadsLittle checks by the server's own counts that a list reads a small part of the tables.
func TestReadsLittle(t *testing.T) {
	n := sizeOf(t)
	since := store.Filter{Since: time.Now().Add(-48 * time.Hour), Failed: true}
	t.Run("phoenix", func(t *testing.T) {
		traces := n / 20 // over 400 days; one span of 100 traces failed
		u := databaseOf(t, "phoenixsize", remotetest.PhoenixTables, "INSERT INTO projects(id, name) VALUES (1, 'default')", fmt.Sprintf(`
INSERT INTO traces(id, project_rowid, trace_id, start_time, end_time) SELECT n, 1, md5(n::text), now() - n * interval '400 days' / %[1]d, now() - n * interval '400 days' / %[1]d + interval '10 s' FROM generate_series(1, %[1]d) n;
INSERT INTO spans(trace_rowid, span_id, parent_id, name, span_kind, start_time, end_time, attributes, events, status_code, status_message, cumulative_error_count)
 SELECT 1 + n / 20, md5('s' || n), CASE WHEN n %% 20 > 0 THEN md5('s' || n / 20 * 20) END, 'call', 'LLM', now() - (1 + n / 20) * interval '400 days' / %[1]d, now() - (1 + n / 20) * interval '400 days' / %[1]d, jsonb_build_object('llm', jsonb_build_object('model_name', CASE WHEN n %% 100 = 5 THEN 'gpt-4o-mini' ELSE 'gpt-4o' END, 'input', repeat(md5(n::text), 30) || CASE WHEN n %% 1000 = 3 THEN ' garden' ELSE '' END)), '[]',
 CASE WHEN n %% 2000 = 7 THEN 'ERROR' ELSE 'OK' END, '', 0 FROM generate_series(0, %[2]d) n`, traces, n-1), "ANALYZE")
		s := open(t, u)
		start := time.Now()
		found := ids(t, s, since)
		took := time.Since(start)
		measure(t, u, s)
		read, all, _, text := plan(t, u, s.Queries(since)[0], "traces", "spans", "project_sessions")
		t.Logf("%d spans, %d runs found in %v: %d of %d pages", n, len(found), took.Round(time.Millisecond), read, all)
		if read == 0 || n >= 1_000_000 && read*100 > all || read*20 > all {
			t.Errorf("%d of %d pages were read:\n%s", read, all, text)
		}
		start = time.Now()
		rows := 0
		if err := s.(*database).rows(context.Background(), "SELECT attributes FROM spans", nil, func(row) error { rows++; return nil }); err != nil {
			t.Fatal(err)
		}
		t.Logf("reading all attributes: %d rows, %v", rows, time.Since(start).Round(time.Millisecond))
	})
	t.Run("langgraph", func(t *testing.T) {
		threads := n / 50
		u := databaseOf(t, "langgraphsize", remotetest.LangGraphTables, fmt.Sprintf(`
INSERT INTO checkpoints SELECT 'thread-' || n / 50, '', lpad(to_hex(at >> 28), 8, '0') || '-' || lpad(to_hex(at >> 12 & 65535), 4, '0') || '-6' || lpad(to_hex(at & 4095), 3, '0') || '-8000-' || lpad(to_hex(n), 12, '0'), NULL, NULL, jsonb_build_object('channel_versions', jsonb_build_object('messages', n::text), 'pad', repeat(md5(n::text), 20)), '{}' FROM
 (SELECT n, (extract(epoch FROM now()) * 10000000)::bigint + 122192928000000000 - (%[1]d - n) * (400 * 864000000000 / (%[1]d + 1)) AS at FROM generate_series(0, %[1]d) n) o;
INSERT INTO checkpoint_blobs SELECT 'thread-' || n / 50, '', 'messages', n::text, 'json', convert_to(repeat(md5(n::text), 60), 'UTF8') FROM generate_series(0, %[1]d) n`, n-1), "VACUUM ANALYZE")
		s := open(t, u)
		start := time.Now()
		found := ids(t, s, store.Filter{})
		took := time.Since(start)
		measure(t, u, s)
		read, all, _, text := plan(t, u, s.Queries(store.Filter{})[0], "checkpoints", "checkpoint_blobs")
		t.Logf("%d checkpoints, %d threads in %v: %d of %d pages", n, len(found), took.Round(time.Millisecond), read, all)
		if len(found) != threads || read == 0 || read*10 > all || !strings.Contains(text, "Index Only Scan") {
			t.Errorf("%d threads; %d of %d pages were read:\n%s", len(found), read, all, text)
		}
	})
}

// measure logs the cost of each filter and of one run, as rows of a table.
func measure(t *testing.T, u *url.URL, s store.Store) {
	t.Helper()
	for _, q := range remotetest.Questions(time.Now()) {
		start := time.Now()
		found := len(ids(t, s, q.Filter))
		took := time.Since(start)
		read, _, rows, _ := plan(t, u, s.Queries(q.Filter)[0])
		t.Log(remotetest.Measured(s.Title(), q.Name, found, rows, int64(read)*8192, took))
	}
	id := ids(t, s, store.Filter{Limit: 1})[0]
	start := time.Now()
	load(t, s, id)
	t.Logf("| %s | `show` | 1 | | | %.3g s |", s.Title(), time.Since(start).Seconds())
	start = time.Now()
	if _, err := s.Version(context.Background(), id); err != nil {
		t.Error(err)
	}
	t.Logf("| %s | `show --cache`, unchanged | 1 | | | %.3g s |", s.Title(), time.Since(start).Seconds())
}
