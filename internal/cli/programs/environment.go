package programs

import (
	"crypto/rand"
	"os"
)

// mark is the variable that marks the processes of a program.
const mark = "LENS_PROGRAM"

// inherited lists the variables that every program gets. Options.Env names more.
func inherited() []string { return []string{"PATH", "HOME", "LANG"} }

// environment returns the environment of a program, and its mark.
func environment(names []string) (list []string, marked string) {
	for _, name := range append(inherited(), names...) {
		if value, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+value)
		}
	}
	marked = mark + "=" + rand.Text()
	return append(list, marked), marked
}
