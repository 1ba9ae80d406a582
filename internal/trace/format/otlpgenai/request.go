package otlpgenai

import (
	"encoding/json"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/shapes"
)

// parameters returns the model parameters of a span in the form of its convention: the
// OpenTelemetry one, OpenInference's, or the Vercel AI SDK's.
func parameters(a *tree) []model.Detail {
	for _, raw := range []json.RawMessage{a.below("gen_ai.request"), a.value("llm.invocation_parameters"), a.below("ai.settings")} {
		if text, ok := jsontext.Text(raw); ok {
			raw = json.RawMessage(text)
		}
		if list := shapes.Params(members.Parse(raw)); list != nil {
			return list
		}
	}
	return nil
}

// stopOf returns the stop reason of the first reply.
func stopOf(a *tree) string {
	raw := a.value("gen_ai.response.finish_reasons", "gen_ai.response.finish_reason", "ai.response.finishReason")
	if list := listOf(raw); len(list) > 0 {
		raw = list[0]
	}
	text, _ := jsontext.Text(raw)
	return text
}
