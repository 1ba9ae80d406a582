package catalog

import (
	"slices"
	"strings"
)

// Listing returns the paths of the files that had a run whose id begins with id when they were last read, in
// alphabetical order. The files may have changed or disappeared since.
func (c *Cache) Listing(id string) (paths []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for path, k := range c.kept {
		in := reader(k.rows, c.gate)
		var rows []Row
		list(&in, &rows, 20, in.row)
		if in.err == nil && slices.ContainsFunc(rows, func(r Row) bool { return strings.HasPrefix(r.ID.Line().String(), id) }) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}
