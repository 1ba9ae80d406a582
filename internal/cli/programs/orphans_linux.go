package programs

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// adopt makes lens the parent of the processes that its programs leave behind, so that killOrphans finds them,
// including those that left the group of their program.
func adopt() {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER of prctl(2)
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}

// killOrphans kills the children of lens whose environment has a mark, and the processes that these leave in
// turn.
func killOrphans(marked string) {
	const rounds = 10
	for range rounds {
		killed := false
		for _, pid := range children() {
			if isMarked(pid, marked) && syscall.Kill(pid, syscall.SIGKILL) == nil {
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
