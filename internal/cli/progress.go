package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"agentlens/internal/trace"
)

// A progress is a line on the terminal that says how far reading is, for those
// who wait longer than progressAfter. The nil one shows nothing.
type progress struct {
	mu          sync.Mutex
	w           io.Writer
	now         func() time.Time
	began       time.Time
	done, total int64 // bytes
	drawn       bool
	over        chan struct{}
}

const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// progress begins to show how much of total bytes was read, 0 for not known. It
// is nil where standard error is no terminal.
func (a *app) progress(total int64) *progress {
	if !isTerminal(a.err) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	p := &progress{w: a.err, now: time.Now, began: time.Now(), total: total, over: make(chan struct{})}
	go func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.draw()
			case <-p.over:
				return
			}
		}
	}()
	return p
}

// sizeOf is how many bytes found files have.
func sizeOf(files []trace.Found) (n int64) {
	for _, f := range files {
		n += f.Size
	}
	return n
}

// add notes that so many more bytes were read.
func (p *progress) add(n int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
}

// set notes how far one source is.
func (p *progress) set(done, total int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = done, total
}

// aside takes the line away while write writes.
func (p *progress) aside(write func() error) error {
	if p == nil {
		return write()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	return write()
}

// end takes the line away for good.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.w = io.Discard
	close(p.over)
}

func (p *progress) erase() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	took := p.now().Sub(p.began)
	if took < progressAfter {
		return
	}
	p.drawn = true
	fmt.Fprintf(p.w, "\r\x1b[K%s", progressLine(p.done, p.total, took))
}

// progressLine fits into a terminal of eighty columns.
func progressLine(done, total int64, took time.Duration) string {
	speed := float64(done) / took.Seconds()
	if total <= 0 {
		return fmt.Sprintf("reading  %s  %s/s", bytesOf(done), bytesOf(int64(speed)))
	}
	const cells = 20
	full := int(cells * min(done, total) / total)
	line := fmt.Sprintf("reading  %s%s  %s of %s", strings.Repeat("▓", full), strings.Repeat("░", cells-full), bytesOf(done), bytesOf(total))
	if done == 0 {
		return line
	}
	left := time.Duration(float64(max(total-done, 0)) / speed * float64(time.Second))
	return line + fmt.Sprintf("  %s/s  %s left", bytesOf(int64(speed)), left.Round(time.Second))
}
