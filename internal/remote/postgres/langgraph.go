package postgres

import (
	"context"
	"fmt"
	"time"

	"agentlens/internal/model"
	"agentlens/internal/remote/store"
	"agentlens/internal/trace/ground/source"
)

// langgraph reads the tables of LangGraph's PostgresSaver (langgraph/checkpoint/postgres/base.py). A thread is a run.
//
// Checkpoint ids are UUIDs of version 6, which are in the order of time, so threads are listed from the primary key
// alone. Failed tool calls are inside the blobs: lens looks for them after reading a thread.
func langgraph() kind {
	return kind{
		title: "LangGraph",
		sign:  "checkpoint_writes",
		needs: map[string][]string{
			"checkpoints":       {"thread_id", "checkpoint_ns", "checkpoint_id", "parent_checkpoint_id", "checkpoint", "metadata"},
			"checkpoint_blobs":  {"thread_id", "checkpoint_ns", "channel", "version", "type", "blob"},
			"checkpoint_writes": {"thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx", "channel", "type", "blob"},
		},
		list: func(s *statement, f store.Filter) {
			s.columns = "thread_id, min(checkpoint_id), max(checkpoint_id)"
			s.from, s.group = s.table("checkpoints"), "thread_id"
			timed := func(side, than string, at time.Time) {
				s.having = append(s.having, fmt.Sprintf("(%s(checkpoint_id) %s %s OR substr(%s(checkpoint_id), 15, 1) <> '6')", side, than, s.arg(firstID(at)), side))
			}
			if !f.Since.IsZero() {
				timed("max", ">=", f.Since.Add(-slack))
				s.answers(store.Since)
			}
			if !f.Until.IsZero() {
				timed("min", "<", f.Until.Add(slack))
				s.answers(store.Until)
			}
			s.order = "max(checkpoint_id)" + direction(f) + ", thread_id"
			s.answers(store.Sort)
			s.bound(f)
		},
		entry: func(r row) source.Entry {
			return source.Entry{ID: r.text(0), Status: model.StatusUnknown, At: timeOfID(r.text(1))}
		},
		rows: func(d *database) (from []string) {
			for _, name := range []string{"checkpoints", "checkpoint_blobs", "checkpoint_writes"} {
				from = append(from, d.table(name)+" r WHERE thread_id = $1")
			}
			return from
		},
		fetch: func(ctx context.Context, d *database, id string) (*source.File, error) {
			s := &statement{schema: d.schema}
			return d.copyRun(ctx, id, []table{
				{name: "checkpoints", query: "SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, NULL::text AS type, checkpoint::text AS checkpoint, metadata::text AS metadata FROM " +
					s.table("checkpoints") + " WHERE thread_id = $1 ORDER BY checkpoint_ns, checkpoint_id"},
				{name: "checkpoint_blobs", index: []string{"thread_id", "checkpoint_ns", "channel", "version"}, query: "SELECT * FROM " + s.table("checkpoint_blobs") + " WHERE thread_id = $1"},
				{name: "writes", index: []string{"thread_id", "checkpoint_ns", "checkpoint_id"}, query: "SELECT w.*, w.blob AS value FROM " + s.table("checkpoint_writes") + " w WHERE thread_id = $1 ORDER BY checkpoint_ns, checkpoint_id, task_id, idx"},
			})
		},
	}
}

// slack is the largest difference between the time in an id and the time in its checkpoint.
const slack = time.Minute

// gregorian is the time from the start of the Gregorian calendar, where time-based UUIDs begin, to the Unix epoch, in
// units of 100 ns (RFC 9562, section 5.6).
const gregorian = 0x01b21dd213814000

// firstID returns the smallest UUID of version 6 with a time.
func firstID(at time.Time) string {
	n := uint64(at.UnixNano()/100 + gregorian)
	return fmt.Sprintf("%08x-%04x-6%03x-0000-000000000000", n>>28, n>>12&0xffff, n&0xfff)
}

// timeOfID returns the time in a UUID of version 6, or 0.
func timeOfID(id string) model.Time {
	var high, mid, low uint64
	if n, err := fmt.Sscanf(id, "%8x-%4x-6%3x", &high, &mid, &low); n != 3 || err != nil {
		return 0
	}
	n := int64(high<<28 | mid<<12 | low)
	if n < gregorian || n-gregorian > 9e16 {
		return 0
	}
	return model.Time((n - gregorian) * 100)
}
