package request

import "strings"

// formats says which of [Forms] a program or a model is spoken to in: by the families of
// records that only one provider's programs write, then by what the names of models
// hold.
var formats = []struct{ form, formats, models string }{
	{"openai-responses", "codex codex-exec openai-responses", ""},
	{"anthropic", "anthropic-messages", "claude"},
	{"gemini", "gemini-cli gemini-generate", "gemini"},
	{"openai", "", "gpt"},
}

// FormOf is the one of [Forms] that a run is most likely sent in: that of the family of
// its record, else of its model; the first where neither tells.
func FormOf(format, model string) string {
	for _, s := range formats {
		for _, f := range strings.Fields(s.formats) {
			if f == format {
				return s.form
			}
		}
	}
	for _, s := range formats {
		if s.models != "" && strings.Contains(strings.ToLower(model), s.models) {
			return s.form
		}
	}
	return Names()[0]
}
