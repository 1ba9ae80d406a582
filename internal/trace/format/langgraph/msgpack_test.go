package langgraph

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestMsgpack(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"fixint", "\x07", "7"},
		{"negative fixint", "\xff", "-1"},
		{"nil", "\xc0", "null"},
		{"bools", "\x92\xc2\xc3", "[false,true]"},
		{"unsigned", "\x94\xcc\xff\xcd\x01\x00\xce\x00\x01\x00\x00\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "[255,256,65536,18446744073709551615]"},
		{"signed", "\x94\xd0\x80\xd1\xff\x00\xd2\xff\xff\xff\xfe\xd3\xff\xff\xff\xff\xff\xff\xff\xfd", "[-128,-256,-2,-3]"},
		{"floats", "\x93\xca\x3f\xc0\x00\x00\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00", "[1.5,1,null]"},
		{"text", "\x93\xa2hi\xd9\x01\"\xda\x00\x02\xc3\xa9", `["hi","\"","é"]`},
		{"not UTF-8", "\xa1\xff", "\"\uFFFD\""},
		{"bytes", "\xc4\x02\x00\xff", `"AP8="`},
		{"maps", "\xde\x00\x02\xa1a\x01\x02\xdd\x00\x00\x00\x01\xa1b", `{"a":1,"2":["b"]}`},
		{"kwargs", "\xc7\x0d\x05\x94\xa3a.b\xa1C\x81\xa1k\x01\xa1m", `{"lc":2,"type":"constructor","id":["a","b","C"],"kwargs":{"k":1}}`},
		{"positions", "\xc7\x08\x01\x93\xa1a\xa1C\x92\x01\x02", `{"lc":2,"type":"constructor","id":["a","C"],"args":[1,2]}`},
		{"one argument", "\xc7\x07\x00\x93\xa1a\xa1C\xa1x", `{"lc":2,"type":"constructor","id":["a","C"],"args":["x"]}`},
		{"snapshot", "\xc7\x03\x07\x92\x01\x02", `{"lc":2,"type":"constructor","id":["langgraph","checkpoint","serde","types","_DeltaSnapshot"],"kwargs":{"value":[1,2]}}`},
		{"other extension", "\xd6\xff\x00\x00\x00\x00", `{"lc":2,"type":"not_implemented","id":["msgpack","-1"]}`},
	} {
		got, err := fromMsgpack([]byte(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}

func TestMsgpackErrors(t *testing.T) {
	for name, in := range map[string]string{
		"empty":           "",
		"torn text":       "\xa5hi",
		"torn number":     "\xce\x00",
		"huge list":       "\xdd\xff\xff\xff\xff",
		"huge map":        "\xdf\xff\xff\xff\xff\x01",
		"huge bytes":      "\xc6\xff\xff\xff\xff",
		"trailing bytes":  "\x01\x02",
		"deep":            strings.Repeat("\x91", 1_000_000),
		"deep maps":       strings.Repeat("\x81", 1_000_000),
		"torn class":      "\xc7\x02\x05\x94\xa3",
		"deep extensions": strings.Repeat("\xc9\x00\x00\xff\xff\x05", 1000),
		"torn snapshot":   "\xc7\x02\x07\x92\x01",
		"extra value":     "\xd7\x00\x93\xa1a\xa1C\xa1x\xc0",
		"torn key":        "\x81\xa9",
		"torn value":      "\x81\xa1a",
	} {
		if got, err := fromMsgpack([]byte(in)); err == nil {
			t.Errorf("%s: read as %.40s", name, got)
		}
	}
}

func FuzzMsgpack(f *testing.F) {
	for _, seed := range []string{"\x07", "\x92\xc2\xc3", "\xc7\x0d\x05\x94\xa3a.b\xa1C\x81\xa1k\x01\xa1m", "\xde\x00\x01\xa1a\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", "\x81\xc0\xc0"} {
		f.Add([]byte(seed))
	}
	f.Add([]byte(`{"channel_values":{"messages":[{"type":"ai","content":"x","tool_calls":[{"id":"c","name":"n","args":{}}]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := toJSON(data)
		if err == nil && !json.Valid([]byte(text)) {
			t.Errorf("%d bytes became invalid JSON", len(data))
		}
		s, err := parseState(data)
		if err != nil {
			return
		}
		for _, raw := range s.messages {
			if m, ok := parseMessage(raw); ok {
				outline(m)
			}
		}
	})
}

// pack returns the msgpack encoding of a JSON text, as LangGraph's serializer
// writes it. Objects with a constructor become extensions.
func pack(t *testing.T, text string) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	packValue(&b, v)
	return b.Bytes()
}

func packValue(b *bytes.Buffer, v any) {
	long := func(code byte, n int) {
		b.WriteByte(code)
		binary.Write(b, binary.BigEndian, uint32(n))
	}
	switch v := v.(type) {
	case nil:
		b.WriteByte(0xc0)
	case bool:
		b.WriteByte(map[bool]byte{false: 0xc2, true: 0xc3}[v])
	case float64:
		if v == math.Trunc(v) {
			b.WriteByte(0xd3)
			binary.Write(b, binary.BigEndian, int64(v))
			return
		}
		b.WriteByte(0xcb)
		binary.Write(b, binary.BigEndian, v)
	case string:
		long(0xdb, len(v))
		b.WriteString(v)
	case []any:
		long(0xdd, len(v))
		for _, e := range v {
			packValue(b, e)
		}
	case map[string]any:
		if id, ok := v["id"].([]any); ok && v["type"] == "constructor" {
			var inner bytes.Buffer
			switch kwargs, _ := v["kwargs"].(map[string]any); id[len(id)-1] {
			case "_DeltaSnapshot":
				packValue(&inner, kwargs["value"])
				long(0xc9, inner.Len())
				b.WriteByte(snapshotCode)
				b.Write(inner.Bytes())
				return
			case "Overwrite":
				packValue(&inner, []any{"langgraph.types", "Overwrite", kwargs})
				long(0xc9, inner.Len())
				b.WriteByte(2)
				b.Write(inner.Bytes())
				return
			}
			packValue(&inner, []any{"langchain_core.messages", id[len(id)-1], v["kwargs"], "model_construct"})
			long(0xc9, inner.Len())
			b.WriteByte(5)
			b.Write(inner.Bytes())
			return
		}
		long(0xdf, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			packValue(b, k)
			packValue(b, v[k])
		}
	}
}
