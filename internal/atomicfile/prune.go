package atomicfile

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Prune removes the oldest files of a folder if it holds more than most.
func Prune(folder string, most int) {
	list, err := os.ReadDir(folder)
	if err != nil || len(list) <= most {
		return
	}
	age := func(e os.DirEntry) time.Time {
		info, err := e.Info()
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(list, func(a, b os.DirEntry) int { return age(a).Compare(age(b)) })
	for _, e := range list[:len(list)-most] {
		os.Remove(filepath.Join(folder, e.Name()))
	}
}
