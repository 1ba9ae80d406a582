// Command words prints the phrases of tools/words.txt that comments, texts and pages of the
// repository contain, as file:line: phrase. It ends with status 1 if there are any.
//
//	go run -C tools ./words
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"agentlens/internal/prose"
	"agentlens/tools/internal/tree"
)

func main() {
	finds, err := find()
	if err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(2)
	}
	for _, f := range finds {
		fmt.Println(f)
	}
	if len(finds) > 0 {
		fmt.Fprintln(os.Stderr, len(finds), "phrases")
		os.Exit(1)
	}
}

func find() ([]prose.Find, error) {
	root, err := tree.Root()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "tools", "words.txt"))
	if err != nil {
		return nil, err
	}
	list, err := prose.Parse(string(text))
	if err != nil {
		return nil, err
	}
	return list.InTree(root)
}
