// Command vocabularies packs the vocabularies that package tokens embeds:
//
//	go run -C tools ./vocabularies
//
// They are the rank files that OpenAI published for tiktoken under the MIT
// licence, in the copy of the module github.com/pkoukk/tiktoken-go-loader, also
// MIT; see internal/curate/tokens/NOTICE. Their checksums are those that tiktoken
// itself verifies.
//
// [tokens.Pack] describes the packed form, a hash table that is read in place.
//
// classes.mjs writes the other embedded file, classes.bin.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"agentlens/internal/curate/tokens"
	"agentlens/tools/internal/tree"
)

// sources gives the rank file of each vocabulary and its SHA-256.
var sources = []struct{ name, file, sum string }{
	{"o200k", "o200k_base.tiktoken", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"},
	{"cl100k", "cl100k_base.tiktoken", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "vocabularies:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := tree.Root()
	if err != nil {
		return err
	}
	for _, s := range sources {
		ranks, err := assets.Assets.ReadFile(s.file)
		if err != nil {
			return fmt.Errorf("open the rank file: %w", err)
		}
		if sum := sha256.Sum256(ranks); hex.EncodeToString(sum[:]) != s.sum {
			return fmt.Errorf("%s: the SHA-256 is %x, want %s: this is not the published file", s.file, sum, s.sum)
		}
		packed, err := pack(ranks)
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		if err := os.WriteFile(packedPath(root, s.name), packed, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func packedPath(root, name string) string {
	return filepath.Join(root, "internal", "curate", "tokens", name+".table")
}

// pack reads lines of "base64 rank" and returns the packed form.
func pack(ranks []byte) ([]byte, error) {
	var list []string
	for line := range bytes.Lines(ranks) {
		text, rank, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		token, err := base64.StdEncoding.DecodeString(string(text))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(list)+1, err)
		}
		if r, err := strconv.Atoi(string(rank)); err != nil || r != len(list) {
			return nil, fmt.Errorf("line %d has rank %q; ranks must follow each other", len(list)+1, rank)
		}
		if len(token) == 0 {
			return nil, fmt.Errorf("line %d: an empty token", len(list)+1)
		}
		list = append(list, string(token))
	}
	return tokens.Pack(list)
}
