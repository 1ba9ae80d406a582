package request

import (
	"encoding/json"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// geminiRequest holds the parts of a generateContent request that a view determines.
type geminiRequest struct {
	System   *geminiContent  `json:"systemInstruction,omitempty"`
	Contents []geminiContent `json:"contents"`
}

type geminiContent struct {
	Role  string `json:"role,omitempty"`
	Parts []any  `json:"parts"`
}

type geminiPart struct {
	Text     *safe.SafeJSON `json:"text,omitempty"`
	Inline   *geminiFile    `json:"inlineData,omitempty"`
	File     *geminiFile    `json:"fileData,omitempty"`
	Call     *geminiCall    `json:"functionCall,omitempty"`
	Response any            `json:"functionResponse,omitempty"`
}

type geminiFile struct {
	MimeType *safe.SafeJSON `json:"mimeType,omitempty"`
	Data     *safe.SafeJSON `json:"data,omitempty"`
	URI      *safe.SafeJSON `json:"fileUri,omitempty"`
}

type geminiCall struct {
	ID   *safe.SafeJSON `json:"id,omitempty"`
	Name safe.SafeJSON  `json:"name"`
	Args safe.SafeJSON  `json:"args"`
}

type geminiResult struct {
	ID       *safe.SafeJSON           `json:"id,omitempty"`
	Name     safe.SafeJSON            `json:"name"`
	Response map[string]safe.SafeJSON `json:"response"`
	Parts    []any                    `json:"parts,omitempty"`
}

func geminiWriter() writer {
	return writer{
		text:  func(_ model.Role, text safe.SafeJSON) any { return geminiPart{Text: &text} },
		media: geminiMedia,
		call: func(c *converter, x call) any {
			c.lose(noSignature)
			out := &geminiCall{Name: x.name, Args: c.object(x.args)}
			if !x.made {
				id := c.g.JSON(x.id)
				out.ID = &id
			}
			return geminiPart{Call: out}
		},
		bare: geminiBare,
	}
}

func geminiMedia(_ model.Role, f media) (any, bool) {
	if f.data != "" {
		return geminiPart{Inline: &geminiFile{MimeType: &f.safeMime, Data: &f.safeData}}, true
	}
	file := &geminiFile{URI: &f.safeURL}
	if strings.Contains(f.mime, "/") { // otherwise only the kind is known
		file.MimeType = &f.safeMime
	}
	return geminiPart{File: file}, true
}

// geminiBare returns a recorded call without its arguments. It does not change calls that the provider ran.
func geminiBare(raw json.RawMessage) json.RawMessage {
	for _, name := range []string{"functionCall", "function_call"} {
		if f := members(raw)[name]; f != nil {
			return with(raw, name, with(f, "args", json.RawMessage("{}")))
		}
	}
	return raw
}

// geminiRecords splits a recorded content into parts. It omits results, because they are separate messages.
func geminiRecords(origin []json.RawMessage) []record {
	if len(origin) != 1 {
		return nil
	}
	list := elements(origin[0])
	if o := members(origin[0]); o["parts"] != nil {
		list = elements(o["parts"])
	}
	recs := []record{}
	for _, raw := range list {
		rec := record{raw: raw}
		o := members(raw)
		switch {
		case hasMember(o, "functionResponse", "function_response"):
			continue
		case hasMember(o, "functionCall", "function_call", "toolCall", "tool_call", "executableCode", "executable_code"):
			rec.kind = callRecord
		case string(o["thought"]) == "true", len(o) == 1 && hasMember(o, "thoughtSignature", "thought_signature"):
			rec.kind = thinkingRecord
		case isString(raw):
			rec.kind = textRecord
			rec.raw, _ = json.Marshal(map[string]json.RawMessage{"text": raw})
		case o["text"] != nil:
			rec.kind = textRecord
		}
		recs = append(recs, rec)
	}
	return recs
}

func hasMember(o map[string]json.RawMessage, names ...string) bool {
	for _, n := range names {
		if o[n] != nil {
			return true
		}
	}
	return false
}

// writeGemini returns the request for a view. Consecutive results form one content.
func writeGemini(c *converter, v *model.View) (any, error) {
	out := geminiRequest{Contents: []geminiContent{}}
	results := false
	err := c.each(v, func(e *model.Entry, m *model.Message) error {
		origin, err := c.origin(m)
		if err != nil {
			return err
		}
		if m != nil && m.Role == model.Tool {
			part, err := c.geminiResult(e, m, origin)
			if !results {
				out.Contents = append(out.Contents, geminiContent{Role: "user", Parts: []any{}})
			}
			results = true
			last := &out.Contents[len(out.Contents)-1]
			last.Parts = append(last.Parts, part)
			return err
		}
		parts, err := c.pieces(geminiWriter(), e, m, geminiRecords(origin))
		if err != nil {
			return err
		}
		if parts == nil {
			parts = []any{}
		}
		if e.Role == model.System {
			if len(out.Contents) > 0 {
				c.lose(lostPlace)
			}
			if out.System == nil {
				out.System = &geminiContent{}
			}
			out.System.Parts = append(out.System.Parts, parts...)
			return nil
		}
		results = false
		role := "user"
		if e.Role == model.Assistant {
			role = "model"
		}
		out.Contents = append(out.Contents, geminiContent{Role: role, Parts: parts})
		return nil
	})
	return out, err
}

func (c *converter) geminiResult(e *model.Entry, m *model.Message, origin []json.RawMessage) (any, error) {
	key := "output"
	if m.IsError {
		key = "error"
	}
	if len(origin) == 1 {
		for _, name := range []string{"functionResponse", "function_response"} {
			f := members(origin[0])[name]
			switch {
			case f == nil:
			case e.Fate == model.Kept:
				return c.g.RawJSON(origin[0]), nil
			default:
				text, _, err := c.text(e, m)
				c.loseParts(m, e)
				response, _ := json.Marshal(map[string]safe.SafeJSON{key: text})
				return c.g.RawJSON(with(origin[0], name, with(f, "response", response, "parts"))), err
			}
		}
	}
	text, _, err := c.text(e, m)
	if err != nil {
		return nil, err
	}
	content, err := c.built(geminiWriter(), e, m)
	if err != nil {
		return nil, err
	}
	out := &geminiResult{Name: c.g.JSON(m.ToolName), Response: map[string]safe.SafeJSON{key: text}}
	for _, x := range content {
		if p, ok := x.(geminiPart); ok && p.Text == nil {
			out.Parts = append(out.Parts, x)
		}
	}
	if m.ToolName == "" {
		c.lose(madeName)
		out.Name = c.g.JSON("unknown")
	}
	if id, made := c.answers(e, m); !made {
		safe := c.g.JSON(id)
		out.ID = &safe
	}
	return geminiPart{Response: out}, nil
}
