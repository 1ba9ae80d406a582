package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
)

// Alphabets of ids and secrets.
const (
	alnum  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	url64  = alnum + "-_"
)

// A dice generates the same numbers in every run.
type dice struct{ *rand.Rand }

func newDice(seed string) dice {
	sum := sha256.Sum256([]byte(seed))
	return dice{rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))}
}

func (d dice) letters(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[d.IntN(len(alphabet))]
	}
	return string(b)
}

func (d dice) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(d.Uint32())
	}
	return b
}

func (d dice) uuid() string {
	b := d.bytes(16)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// signature returns a fake signature of a thinking block.
func (d dice) signature(n int) string {
	return base64.StdEncoding.EncodeToString(append([]byte{0x12, 0xa9, 0x02, 0x0a, 0x46, 0x08, 0x0b, 0x18, 0x02, 0x2a, 0x40}, d.bytes(n)...))
}
