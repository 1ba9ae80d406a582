// Command vocabularies packs the vocabularies that package tokens embeds:
//
//	go run -C tools ./vocabularies
//
// They are the rank files that OpenAI published for tiktoken under the MIT
// licence, in the copy of the module github.com/pkoukk/tiktoken-go-loader, also
// MIT; see internal/curate/tokens/NOTICE. Their checksums are those that tiktoken
// itself verifies.
//
// A packed vocabulary is, compressed with gzip: the number of tokens (4 bytes,
// little endian), one length byte for each token, then the bytes of all tokens,
// both in the order of rank. Rank is the position.
//
// classes.mjs writes the other embedded file, classes.bin.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pkoukk/tiktoken-go-loader/assets"

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
		if err == nil {
			packed, err = compress(packed)
		}
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
	return filepath.Join(root, "internal", "curate", "tokens", name+".gz")
}

// pack reads lines of "base64 rank" and returns the packed form.
func pack(ranks []byte) ([]byte, error) {
	var lengths, tokens []byte
	for line := range bytes.Lines(ranks) {
		text, rank, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		token, err := base64.StdEncoding.DecodeString(string(text))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(lengths)+1, err)
		}
		if r, err := strconv.Atoi(string(rank)); err != nil || r != len(lengths) {
			return nil, fmt.Errorf("line %d has rank %q; ranks must follow each other", len(lengths)+1, rank)
		}
		if len(token) == 0 || len(token) > 255 {
			return nil, fmt.Errorf("line %d: a token of %d bytes", len(lengths)+1, len(token))
		}
		lengths = append(lengths, byte(len(token)))
		tokens = append(tokens, token...)
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(lengths)))
	return append(append(out, lengths...), tokens...), nil
}

func compress(data []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}
