package programs

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A nursery adopts the processes that programs leave behind, and ends them. While a program runs, lens is the
// parent of every orphan among its descendants, also of those that left the group and the session of their program
// and cleared their environment. All programs of a process share one.
type nursery struct {
	mu      sync.Mutex
	running int          // programs
	before  map[int]bool // children of lens when the first of them began
	screens int          // programs in the foreground
	mixed   bool         // one of those ran at the same time
}

// theNursery returns the nursery of the process.
var theNursery = sync.OnceValue(func() *nursery { return &nursery{} })

// begin notes that a program is about to start.
func (n *nursery) begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.running++; n.running > 1 {
		return
	}
	n.mixed, n.before = n.screens > 0, map[int]bool{}
	for _, pid := range children() {
		n.before[pid] = true
	}
	adopt(1)
}

// end ends what a program left: the processes whose environment has its mark, and with the last of the running
// programs all that are no programs of lens itself. Those that an editor left are not told apart from them: nothing
// without a mark ends if one ran at the same time.
func (n *nursery) end(marked string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.running--
	all, group := n.running == 0 && !n.mixed, syscall.Getpgrp()
	killChildren(func(pid int) bool {
		if isMarked(pid, marked) {
			return true
		}
		of, err := syscall.Getpgid(pid)
		return all && !n.before[pid] && err == nil && of != group
	})
	if n.running == 0 {
		adopt(0)
	}
}

// foreground notes that a program takes the terminal. The function that it returns notes the end.
func (n *nursery) foreground() (ended func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.screens++
	n.mixed = true
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.screens--
	}
}

// adopt makes lens the parent of the orphans among its descendants, or ends that.
func adopt(on uintptr) {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER of prctl(2)
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, on, 0)
}

// killChildren kills the children of lens that wanted chooses. The children of one that was killed are children of
// lens then: killChildren goes on until there are no more, but not for long, because a process may fork faster.
func killChildren(wanted func(pid int) bool) {
	const longest = 2 * time.Second
	for until := time.Now().Add(longest); time.Now().Before(until); {
		killed := false
		for _, pid := range children() {
			if wanted(pid) && syscall.Kill(pid, syscall.SIGKILL) == nil {
				_, err := syscall.Wait4(pid, nil, 0, nil)
				killed = killed || err == nil
			}
		}
		if !killed {
			return
		}
	}
}

// children returns the processes whose parent is lens.
func children() (list []int) {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, field := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				list = append(list, pid)
			}
		}
	}
	return list
}

func isMarked(pid int, marked string) bool {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return bytes.Contains(append(text, 0), append([]byte(marked), 0))
}
