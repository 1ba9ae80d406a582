package flujo

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/sqlite"
)

// A scan walks a JSON text and hands out pieces of it that share its memory.
type scan struct {
	*jsontext.Scanner
	text string
}

func newScan(text string) *scan { return &scan{jsontext.New([]byte(text)), text} }

// raw passes over the next value and returns it as written; "" after an error.
func (s *scan) raw() string {
	at := s.Skip()
	return s.text[at.Start:at.End]
}

// each walks the members of the next value, an object, passing over what yield leaves.
func (s *scan) each(yield func(key string)) { s.Object(func(key []byte) { yield(string(key)) }) }

// members reads a small object.
func members(raw string) map[string]string {
	m := map[string]string{}
	s := newScan(raw)
	s.each(func(key string) { m[key] = s.raw() })
	return m
}

// text decodes raw, a JSON string; "" when it is something else.
func text(raw string) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if strings.IndexByte(raw, '\\') < 0 {
		return strings.ToValidUTF8(raw[1:len(raw)-1], "\uFFFD")
	}
	return jsontext.Unquote([]byte(raw), jsontext.Span{End: len(raw)})
}

// number decodes raw, a JSON number; ok is false when it is something else.
func number(raw string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(raw, 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// count decodes raw, a number of tokens.
func count(raw string) (n int64, ok bool) {
	n, err := strconv.ParseInt(raw, 10, 64)
	return n, err == nil && n >= 0
}

// object writes members, given as key and JSON value in turn, one a line.
func object(pairs ...string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  " + quoted(pairs[i]) + ": " + pairs[i+1])
	}
	b.WriteString("\n}")
	return b.String()
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// rowObject writes a row as an object, without the columns in skip. Columns
// that hold JSON stand as they are.
func rowObject(r sqlite.Row, skip ...string) string {
	var pairs []string
next:
	for _, col := range r.Columns() {
		for _, s := range skip {
			if s == col {
				continue next
			}
		}
		pairs = append(pairs, col, columnValue(r, col))
	}
	return object(pairs...)
}

func columnValue(r sqlite.Row, col string) string {
	switch v := r.Value(col).(type) {
	case nil:
		return "null"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return quoted(r.Text(col))
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	s := r.Text(col)
	if jsonColumns[col] && json.Valid([]byte(s)) {
		return s
	}
	return quoted(s)
}

// jsonColumns are the columns, of any schema, that hold JSON text.
var jsonColumns = map[string]bool{
	"attributes": true, "output": true, "raw_response": true, "output_blob": true, "input_blob": true,
	"error_blob": true, "metadata": true, "value": true, "trace_data": true, "trace_json": true,
}
