package claudecode

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// agentFiles finds the sub-agents' files of a session: below its own folder, or
// beside it with the session's id inside. A file read from a pipe has none.
func agentFiles(path string, memo *source.Memo) []string {
	if _, err := os.Stat(path); err != nil || strings.HasPrefix(filepath.Base(path), "agent-") {
		return nil
	}
	base := strings.TrimSuffix(path, filepath.Ext(path))
	paths := ownAgents(base, memo)
	dir := filepath.Dir(path)
	beside := source.Remember(memo, "claudecode "+dir, func() map[string][]string { return agentsIn(dir) })
	paths = append(paths, beside[filepath.Base(base)]...)
	slices.Sort(paths)
	return paths
}

// ownAgents are the files below the folder of a session.
func ownAgents(base string, memo *source.Memo) (paths []string) {
	dir, name := filepath.Split(base)
	if !source.Remember(memo, "folders "+dir, func() map[string]bool { return foldersIn(dir) })[name] {
		return nil
	}
	for _, pattern := range []string{"agent-*.jsonl", filepath.Join("workflows", "*", "agent-*.jsonl")} {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(base), "subagents", pattern))
		paths = append(paths, found...)
	}
	return paths
}

// foldersIn names the folders in a folder.
func foldersIn(dir string) map[string]bool {
	names := map[string]bool{}
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	for _, e := range entries {
		if e.IsDir() || e.Type()&fs.ModeSymlink != 0 {
			names[e.Name()] = true
		}
	}
	return names
}

var sessionID = regexp.MustCompile(`"sessionId":"([^"\\]+)"`)

// agentsIn finds the sub-agents' files that lie beside the sessions of a folder,
// by the id of their session.
func agentsIn(dir string) map[string][]string {
	found := map[string][]string{}
	siblings, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "agent-*.jsonl"))
	for _, path := range siblings {
		f, err := source.Open(path)
		if err != nil {
			continue
		}
		if lines := f.Lines(); len(lines) > 0 {
			if id := sessionID.FindSubmatch(lines[0]); id != nil {
				found[string(id[1])] = append(found[string(id[1])], path)
			}
		}
		f.Close()
	}
	return found
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// papers are the files beside a session that are documents of its run, as
// patterns below its folder, and what each is: what sub-agents are, and results
// that were too long for the session, which holds only how they begin.
var papers = []struct{ kind, pattern string }{
	{"sub-agent", filepath.Join("subagents", "agent-*.meta.json")},
	{"tool result", filepath.Join("tool-results", "*.txt")},
}

// attach lists the documents beside the session at path. Their texts stay there.
func (x *index) attach(path string) {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	if base == path {
		return
	}
	for _, p := range papers {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(base), p.pattern))
		for _, name := range found {
			info, err := os.Stat(name)
			if err != nil || !info.Mode().IsRegular() || len(x.files)+len(x.beside) == math.MaxUint16 {
				continue
			}
			x.beside = append(x.beside, name)
			rel, _ := filepath.Rel(base, name)
			x.lines++
			x.Count(model.Records{Documents: 1})
			x.File(model.Document{
				Name: filepath.ToSlash(rel), Kind: p.kind, Bytes: info.Size(),
				Body: model.Ref{Source: uint16(len(x.files) + len(x.beside) - 1), Len: uint32(min(info.Size(), math.MaxUint32))},
			})
		}
	}
}

// texts are those of the session and its sub-agents, whose files are open, and
// those of the documents beside it, which are opened when they are asked for.
type texts struct {
	source.Files
	beside []string
}

// Body returns the text behind r.
func (t texts) Body(r model.Ref) (string, error) {
	i := int(r.Source) - len(t.Files)
	if i < 0 {
		return t.Files.Body(r)
	}
	data, err := os.ReadFile(t.beside[i])
	if err != nil {
		return "", &source.UnreadableError{Path: t.beside[i], Err: fmt.Errorf("a document beside the session: %w", err)}
	}
	return source.Decode(data[:min(len(data), int(r.Len))], r.Form)
}

// Stored names the file that holds the bytes behind r.
func (t texts) Stored(r model.Ref) string {
	if i := int(r.Source) - len(t.Files); i >= 0 {
		return t.beside[i]
	}
	return t.Files.Stored(r)
}

// Where names the file, and the byte of those that are long.
func (t texts) Where(r model.Ref) string {
	i := int(r.Source) - len(t.Files)
	if i < 0 {
		return t.Files.Where(r)
	}
	return fmt.Sprintf("%s, byte 0, %d bytes", filepath.Base(t.beside[i]), r.Len)
}
