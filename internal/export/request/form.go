package request

import "strings"

// formats maps formats of records and names of models to the provider's form. Formats that
// only one provider writes come first.
var formats = []struct{ form, formats, models string }{
	{"openai-responses", "codex codex-exec openai-responses", ""},
	{"anthropic", "anthropic-messages", "claude"},
	{"gemini", "gemini-cli gemini-generate", "gemini"},
	{"openai", "", "gpt"},
}

// FormOf returns the likely form of a run's requests: by the format of its record, else by
// its model, else the first of [Names].
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
