package wire_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"testing"

	"agentlens/internal/trace/ground/wire"
)

func TestUnpacked(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(`{"a":1}`))
	w.Close()
	encode := base64.StdEncoding.EncodeToString
	for _, c := range []struct{ name, text, want string }{
		{"a text that is not base64", `{"a":1}`, `{"a":1}`},
		{"base64", encode([]byte(`{"a":1}`)), `{"a":1}`},
		{"base64 of gzip", encode(packed.Bytes()), `{"a":1}`},
		{"gzip without its checksum", encode(packed.Bytes()[:packed.Len()-8]), `{"a":1}`},
		{"nothing", "", ""},
	} {
		if got := wire.Unpacked(c.text); string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
