package clickhouse

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentlens/internal/remote/remotetest"
	"agentlens/internal/remote/store"
)

// TestReadsLittle checks by the engine's own estimate that a list reads a small part of the rows. LENS_STORE_ROWS is the
// number of rows.
func TestReadsLittle(t *testing.T) {
	n := 200_000
	if text := os.Getenv("LENS_STORE_ROWS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	since := store.Filter{Since: time.Now().Add(-48 * time.Hour), Failed: true}
	read := func(t *testing.T, name, project string, s store.Store) int {
		t.Helper()
		q := s.(*database).list(project, since)
		text := q.text
		for key, value := range q.params {
			text = strings.ReplaceAll(text, "{"+key+":String}", "'"+strings.ReplaceAll(value, `\`, `\\`)+"'")
		}
		rows := 0
		for _, line := range strings.Split(strings.TrimSpace(exec(t, name, "EXPLAIN ESTIMATE "+text)), "\n") {
			var estimate struct{ Rows int }
			if err := json.Unmarshal([]byte(line), &estimate); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			rows += estimate.Rows
		}
		start := time.Now()
		found := strings.Count(exec(t, name, text), "\n")
		t.Logf("%d runs in %v, %d of %d rows", found, time.Since(start).Round(time.Millisecond), rows, n)
		return rows
	}
	check := func(t *testing.T, rows int) {
		t.Helper()
		if rows == 0 || n >= 1_000_000 && rows*100 > n*2 || rows*10 > n {
			t.Errorf("%d of %d rows were read", rows, n)
		}
	}
	t.Run("otel", func(t *testing.T) {
		s := opened(t, "otelsize", remotetest.OtelTables)
		exec(t, "otelsize", fmt.Sprintf(`INSERT INTO otel_traces (Timestamp, TraceId, SpanId, SpanName, ServiceName, SpanAttributes, Duration, StatusCode)
 SELECT now64(9) - toIntervalSecond(intDiv(number, 20) * 400 * 86400 / %d), hex(MD5(toString(intDiv(number, 20)))), hex(number), 'chat', 'svc', map('gen_ai.request.model', if(number %% 100 = 5, 'gpt-4o-mini', 'gpt-4o'), 'text', repeat(hex(MD5(toString(number))), 30) || if(number %% 1000 = 3, ' garden', '')), 1000000, if(number %% 2000 = 7, 'Error', 'Ok')
 FROM numbers(%d) SETTINGS max_partitions_per_insert_block = 1000`, n/20, n))
		measure(t, "otelsize", s)
		check(t, read(t, "otelsize", "", s))
	})
	t.Run("langfuse", func(t *testing.T) {
		s := opened(t, "lf4size", fmt.Sprintf(remotetest.Langfuse4Table, "events_full"), fmt.Sprintf(remotetest.Langfuse4Table, "events_core"))
		exec(t, "lf4size", fmt.Sprintf(`INSERT INTO events_full (project_id, trace_id, span_id, start_time, end_time, name, type, trace_name, level, event_ts, is_deleted, input)
 SELECT 'p1', hex(MD5(toString(intDiv(number, 20)))), hex(number), now64(6) - toIntervalSecond(intDiv(number, 20) * 400 * 86400 / %d) AS at, at, 'ask', 'GENERATION', 'greet', if(number %% 2000 = 7, 'ERROR', 'DEFAULT'), now64(6), 0, repeat(hex(MD5(toString(number))), 30) || if(number %% 1000 = 3, ' garden', '')
 FROM numbers(%d) SETTINGS max_partitions_per_insert_block = 1000`, n/20, n))
		exec(t, "lf4size", "INSERT INTO events_core SELECT * REPLACE (substring(input, 1, 200) AS input) FROM events_full")
		measure(t, "lf4size", s)
		check(t, read(t, "lf4size", "p1", s))
	})
}

// measure logs the cost of each filter and of one run, as rows of a table.
func measure(t *testing.T, name string, s store.Store) {
	t.Helper()
	d := s.(*database)
	for _, q := range remotetest.Questions(time.Now()) {
		l := d.list("", q.Filter)
		text := l.text
		for key, value := range l.params {
			text = strings.ReplaceAll(text, "{"+key+":String}", "'"+strings.ReplaceAll(value, `\`, `\\`)+"'")
		}
		start := time.Now()
		answer := exec(t, name, text+" FORMAT JSON")
		took := time.Since(start)
		var got struct {
			Rows       int
			Statistics struct {
				Rows  int   `json:"rows_read"`
				Bytes int64 `json:"bytes_read"`
			}
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatalf("%.300s: %v", answer, err)
		}
		t.Log(remotetest.Measured(s.Title(), q.Name, got.Rows, got.Statistics.Rows, got.Statistics.Bytes, took))
	}
	id := strings.Fields(ids(t, s, store.Filter{Limit: 1}))[0]
	start := time.Now()
	if _, err := s.Fetch(context.Background(), id); err != nil {
		t.Error(err)
	}
	t.Logf("| %s | `show` | 1 | | | %.3g s |", s.Title(), time.Since(start).Seconds())
	start = time.Now()
	if _, err := s.Version(context.Background(), id); err != nil {
		t.Error(err)
	}
	t.Logf("| %s | `show --cache`, unchanged | 1 | | | %.3g s |", s.Title(), time.Since(start).Seconds())
	start = time.Now()
	exec(t, name, "SELECT sum(cityHash64(*)) FROM "+d.table)
	t.Logf("| %s | hashing all columns of the table | | | | %.3g s |", s.Title(), time.Since(start).Seconds())
}
