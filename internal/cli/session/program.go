package session

import (
	"fmt"
	"os"
)

// Program returns a text that distinguishes this build of lens from all others: where its file is, its size and its
// time. It returns "" if they are unknown, or if another build may have replaced the file.
func (s *Session) Program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil || !info.ModTime().Before(s.start) {
		return ""
	}
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
}
