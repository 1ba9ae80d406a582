package session

import (
	"context"
	"slices"

	"agentlens/internal/library/catalog"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// Choose returns the sources that the arguments name, without the runs that the filter excludes. It reads
// their rows through the cache of runs unless noCache is set, and reports on stderr what it could not read.
func (s *Session) Choose(ctx context.Context, g *safe.Gate, args []string, want *catalog.Filter, noCache bool) (*Sources, error) {
	all, err := s.SourcesFor(ctx, args, want, 0)
	if err != nil || want.All() {
		return all, err
	}
	prices, err := s.Prices()
	if err != nil {
		return nil, err
	}
	chosen := &Sources{Faults: all.Faults, Alone: all.Alone}
	for _, src := range all.Opened {
		r := catalog.Read(ctx, g, prices, src)
		if r.Err != nil {
			return nil, r.Err
		}
		if narrow(g, src, wanted(r.Rows, want)); len(src.Entries) > 0 {
			chosen.Opened = append(chosen.Opened, src)
		}
	}
	rows := map[string][]catalog.Row{}
	files := &Sources{Files: all.Files, Faults: all.Faults, Alone: all.Alone}
	if err := s.Scan(ctx, g, files, noCache, s.Err, func(r catalog.Row) error { rows[r.Path] = append(rows[r.Path], r); return nil }); err != nil {
		return nil, err
	}
	for _, f := range all.Files {
		switch ids := wanted(rows[f.Path], want); {
		case len(ids) == 0:
		case len(ids) == len(rows[f.Path]):
			chosen.Files = append(chosen.Files, f)
		default:
			src, err := trace.Open(ctx, f.Path)
			if src, _, err = s.keep(src, "", err); err != nil {
				return nil, err
			}
			narrow(g, src, ids)
			chosen.Opened = append(chosen.Opened, src)
		}
	}
	return chosen, nil
}

// wanted returns the ids of the rows that a filter selects, as JSON.
func wanted(rows []catalog.Row, want *catalog.Filter) (ids []string) {
	for i := range rows {
		if want.Wants(&rows[i]) {
			ids = append(ids, rows[i].ID.String())
		}
	}
	return ids
}

// narrow reduces a source to the runs with these ids.
func narrow(g *safe.Gate, src *trace.Source, ids []string) {
	src.Entries = slices.DeleteFunc(src.Entries, func(e source.Entry) bool { return !slices.Contains(ids, g.JSON(e.ID).String()) })
}
