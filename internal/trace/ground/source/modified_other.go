//go:build !(linux || darwin || freebsd)

package source

import "os"

// modified returns the modification time of an open file in nanoseconds.
func modified(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.ModTime().UnixNano(), nil
}
