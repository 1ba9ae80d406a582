package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/members"
)

// A Document is one JSON object that holds messages, as far as it could be read.
type Document struct {
	Top members.Object
	// Torn says that the text ends before the object does; what was read whole
	// is in Top, messages one by one.
	Torn bool
	// Deep counts values that nest too deep. A text replaces them.
	Deep int
	// Rest is what follows the object.
	Rest []byte
}

// ReadDocument reads the first JSON value of data, an object. It mends nothing
// but a torn end. The error says where data is no JSON. The document points into
// data.
func ReadDocument(data []byte) (Document, error) {
	data = jsontext.Trim(data)
	v := jsontext.Read(data)
	doc := Document{Top: v.Object, Deep: v.Deep, Rest: v.Rest, Torn: errors.Is(v.Err, jsontext.ErrTorn)}
	switch {
	case v.Err != nil && !doc.Torn || len(data) == 0:
		return Document{}, Explain(data, v.Err)
	case doc.Top == nil:
		return Document{}, Explain(data, errors.New("an object was expected"))
	case doc.Torn && len(v.Cut) > 0 && v.Keys[len(v.Keys)-1] == "messages":
		if list := jsontext.Read(v.Cut); list.Array != nil {
			doc.Top["messages"] = written(list.Array)
			doc.Deep += list.Deep
		}
	}
	if doc.Torn && (len(doc.Top) == 0 || errors.Is(v.Err, jsontext.ErrTornDeep) && !doc.Top.Has("messages")) {
		return Document{}, Explain(data, v.Err)
	}
	return doc, nil
}

// written is a list of the elements as they are.
func written(list []json.RawMessage) json.RawMessage {
	raw := json.RawMessage("[")
	for i, element := range list {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, element...)
	}
	return append(raw, ']')
}

// A List is a JSON list, as far as it could be read. Nothing may follow it.
type List struct {
	Elements []json.RawMessage
	Torn     bool // the text ends before the list does; elements read whole are given
	Deep     int  // values that nest too deep, replaced by a text
}

// ReadList reads a JSON list; torn says that the text ends before the list does,
// and the elements read whole are given.
func ReadList(data []byte) (list []json.RawMessage, torn bool, err error) {
	l, err := ReadElements(data)
	return l.Elements, l.Torn, err
}

// ReadElements is ReadList, and tells of values that nest too deep.
func ReadElements(data []byte) (List, error) {
	data = jsontext.Trim(data)
	v := jsontext.Read(data)
	list := List{Elements: v.Array, Deep: v.Deep, Torn: errors.Is(v.Err, jsontext.ErrTorn)}
	switch {
	case v.Err != nil && (!list.Torn || len(v.Array) == 0 && errors.Is(v.Err, jsontext.ErrTornDeep)):
		return List{}, Explain(data, v.Err)
	case v.Array == nil:
		return List{}, Explain(data, errors.New("a list was expected"))
	case len(v.Rest) > 0:
		return List{}, Explain(data, &jsontext.SyntaxError{Offset: len(data) - len(v.Rest), Byte: v.Rest[0]})
	}
	return list, nil
}

// Explain adds the line number to an error of jsontext or encoding/json.
func Explain(data []byte, err error) error {
	at := len(data)
	switch e := err.(type) {
	case *jsontext.SyntaxError:
		at = e.Offset
	case *json.SyntaxError:
		at = int(e.Offset)
	case *json.UnmarshalTypeError:
		at = int(e.Offset)
	}
	line := 1 + bytes.Count(data[:min(max(at, 0), len(data))], []byte{'\n'})
	return fmt.Errorf("line %d: JSON was expected: %w", line, err)
}
