//go:build linux || darwin || freebsd

package source

import (
	"math"
	"syscall"
)

// freeSpace returns the free bytes of the file system of a folder that the user may fill.
func freeSpace(dir string) int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return math.MaxInt64
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
