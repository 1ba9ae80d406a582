package wire

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
)

// maxUnpacked bounds a body that is unpacked, in bytes.
const maxUnpacked = 64 << 20

// Unpacked is what a text in base64 holds, of gzip what is packed in it. A text
// that is no base64 comes back as it is, and one that is packed and too long or
// broken is cut.
func Unpacked(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return []byte(text)
	}
	return Gunzipped(data)
}

// Gunzipped is what gzip packed, or data as it is.
func Gunzipped(data []byte) []byte {
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data
	}
	plain, _ := io.ReadAll(io.LimitReader(packed, maxUnpacked)) // what came before an error is kept
	return plain
}
