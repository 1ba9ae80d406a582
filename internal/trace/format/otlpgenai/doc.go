// Package otel reads spans of OpenTelemetry that tell of model calls: OTLP JSON as
// collectors and exporters write it, one document or one per line, and the span
// exports of OpenInference stores.
//
// Evidence: the OTLP protobuf JSON mapping; the GenAI semantic conventions in all
// their generations; the OpenLLMetry, OpenInference, Vercel AI and pydantic-ai
// attribute names; a genuine file of Visual Studio's Copilot.
//
// Traps: 64-bit numbers are strings; attributes are lists of pairs, or objects,
// flat with dots or nested; lists are spread over numbered keys; messages are
// structures or JSON in a string; the same words stand in attributes, in events
// of the span and in log records beside it; prompt counts hold the cached tokens;
// parents are missing from partial exports; most files hold no words at all, as
// recording them is off by default.
//
// It must never take the operation of a tool for something a model said where the
// messages themselves are recorded.
package otlpgenai
