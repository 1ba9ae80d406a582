package catalog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"agentlens/internal/atomicfile"
	"agentlens/internal/curate/models"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
)

// Version is the header of what is kept of runs; caches of other versions are ignored. It changes with what readers find.
const Version = "lens runs 18\n"

// A Cache keeps the rows of files, keyed by path, size and time. The zero value keeps
// nothing and prices nothing.
type Cache struct {
	path   string
	gate   *safe.Gate
	prices *models.PriceList

	mu      sync.Mutex
	kept    map[string]kept
	changed bool
}

// kept holds the rows of one file, decoded on demand.
type kept struct {
	look uint64
	rows []byte
	used bool
}

// NoCache returns a cache that keeps nothing.
func NoCache(prices *models.PriceList) *Cache { return &Cache{prices: prices} }

// OpenCache reads the cache in a folder. A missing or damaged cache is empty, and so is one made at other
// prices. variant names the redaction level; each has its own file.
func OpenCache(folder, variant string, g *safe.Gate, prices *models.PriceList) *Cache {
	c := &Cache{path: filepath.Join(folder, "runs-"+variant), gate: g, prices: prices, kept: map[string]kept{}}
	data, err := os.ReadFile(c.path)
	head := c.head()
	if err != nil || len(data) < len(head) || string(data[:len(head)]) != string(head) {
		return c
	}
	end := len(data) - crc32.Size
	if end < len(head) || checksum(data[:end]) != binary.LittleEndian.Uint32(data[end:]) {
		return c
	}
	in := reader(data[len(head):end], nil)
	for len(in.b) > 0 && in.err == nil {
		var path string
		var rows []byte
		var look int64
		in.text(&path)
		in.number(&look)
		in.bytes(&rows)
		if in.err == nil {
			c.kept[path] = kept{look: uint64(look), rows: rows}
		}
	}
	return c
}

// head returns the beginning of the cache file: the version and the prices of its costs.
func (c *Cache) head() []byte {
	return binary.LittleEndian.AppendUint64([]byte(Version), c.prices.Key())
}

// checksum returns the checksum that ends a cache file. It covers all bytes before it.
func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// get returns the rows of an unchanged file.
func (c *Cache) get(path string, look uint64) ([]Row, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept[path]
	if !ok || k.look != look || look == 0 {
		return nil, false
	}
	in := reader(k.rows, c.gate)
	var rows []Row
	list(&in, &rows, 20, in.row)
	if in.err != nil || len(in.b) > 0 {
		return nil, false
	}
	k.used = true
	c.kept[path] = k
	return rows, true
}

func (c *Cache) put(path string, look uint64, rows []Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || look == 0 {
		return
	}
	var out codec
	list(&out, &rows, 20, out.row)
	c.kept[path] = kept{look: look, rows: out.b, used: true}
	c.changed = true
}

// Save writes the cache when it changed. It drops files that no longer exist.
func (c *Cache) Save() error {
	if !c.changed {
		return nil
	}
	out := codec{b: c.head()}
	for path, k := range c.kept {
		if !k.used {
			if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
				continue
			}
		}
		look := int64(k.look)
		out.text(&path)
		out.number(&look)
		out.bytes(&k.rows)
	}
	if err := atomicfile.WriteCache(c.path, binary.LittleEndian.AppendUint32(out.b, checksum(out.b))); err != nil {
		return fmt.Errorf("keep a cache: %w", err)
	}
	return nil
}

// lookOf returns a checksum of the size and time of a source's files. It returns 0 for a
// folder, which has no cheap checksum.
func lookOf(f trace.Found, beside []string) uint64 {
	if f.Dir {
		return 0
	}
	h := fnv.New64a()
	digits := strconv.AppendInt(make([]byte, 0, 48), f.Size, 10)
	h.Write(strconv.AppendInt(append(digits, ' '), f.Modified.UnixNano(), 10))
	if !strings.HasPrefix(filepath.Ext(f.Path), ".json") { // it may be a database
		stat(h, f.Path+"-wal")
		stat(h, f.Path+"-journal")
	}
	for _, path := range beside {
		stat(h, path)
	}
	return h.Sum64()
}

func stat(w io.Writer, path string) {
	if info, err := os.Stat(path); err == nil {
		fmt.Fprint(w, path, info.Size(), info.ModTime().UnixNano())
	}
}
