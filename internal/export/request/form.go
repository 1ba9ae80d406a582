package request

import "strings"

// formats maps record formats and model names to the provider's form. Formats written by only one provider come
// first.
var formats = []struct{ form, formats, models string }{
	{"openai-responses", "codex codex-exec openai-responses", ""},
	{"anthropic", "anthropic-messages", "claude"},
	{"gemini", "gemini-cli gemini-generate", "gemini"},
	{"openai", "", "gpt"},
}

// FormOf returns the likely form of a run's requests. It checks the record format first, then the model. The
// default is the first of [Names].
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
