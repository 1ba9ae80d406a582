package source

import "sync"

// A Memo is a cache shared by reads of many files. It keeps facts about folders and
// the buffers of closed files. A nil Memo keeps nothing. It is safe for concurrent
// use.
type Memo struct {
	mu    sync.Mutex
	kept  map[string]func() any
	heads sync.Pool // of *[HeadLen]byte
}

// Open is like [Open] but reuses the memory of the file after it is closed. Nothing read from
// the file may be used after Close.
func (m *Memo) Open(path string) (*File, error) {
	if m == nil {
		return Open(path)
	}
	head, ok := m.heads.Get().(*[HeadLen]byte)
	if !ok {
		head = new([HeadLen]byte)
	}
	f, err := openInto(path, head[:])
	if err != nil {
		m.heads.Put(head)
		return nil, err
	}
	closeFile := f.close
	f.close = func() error {
		if f.Head != nil { // closed for the first time
			f.Head = nil
			m.heads.Put(head)
		}
		return closeFile()
	}
	return f, nil
}

// Remember returns the result of the first call of find for key.
func Remember[T any](m *Memo, key string, find func() T) T {
	if m == nil {
		return find()
	}
	m.mu.Lock()
	once := m.kept[key]
	if once == nil {
		once = sync.OnceValue(func() any { return find() })
		if m.kept == nil {
			m.kept = map[string]func() any{}
		}
		m.kept[key] = once
	}
	m.mu.Unlock()
	return once().(T)
}
