package request

import (
	"bytes"
	"fmt"
	"net/url"

	"agentlens/internal/safe"
)

// An endpoint is where and how a form is sent. base and key are variables of the shell.
type endpoint struct {
	base, baseVar, path string
	keyVar              string
	headers             []string
}

// endpoints are the providers' public interfaces, by form.
var endpoints = map[string]endpoint{
	"openai":           {"https://api.openai.com/v1", "OPENAI_BASE_URL", "/chat/completions", "OPENAI_API_KEY", []string{"Authorization: Bearer $OPENAI_API_KEY"}},
	"openai-responses": {"https://api.openai.com/v1", "OPENAI_BASE_URL", "/responses", "OPENAI_API_KEY", []string{"Authorization: Bearer $OPENAI_API_KEY"}},
	"anthropic":        {"https://api.anthropic.com", "ANTHROPIC_BASE_URL", "/v1/messages", "ANTHROPIC_API_KEY", []string{"x-api-key: $ANTHROPIC_API_KEY", "anthropic-version: 2023-06-01"}},
	"gemini":           {"https://generativelanguage.googleapis.com/v1beta", "GEMINI_BASE_URL", "/models/%s:generateContent", "GEMINI_API_KEY", []string{"x-goog-api-key: $GEMINI_API_KEY"}},
}

// endOfBody ends the body in a script. A line of JSON is never a bare word.
const endOfBody = "END_OF_REQUEST"

// Script returns a shell script that sends a request with curl. The key is a variable of the environment.
func (r *Request) Script(g *safe.Gate) []byte {
	e := endpoints[r.Form]
	path := e.path
	if r.Form == "gemini" {
		path = fmt.Sprintf(path, url.QueryEscape(g.Line(r.Model).String())) // leaves nothing that a shell reads
	}
	var b bytes.Buffer
	b.WriteString("#!/bin/sh\n")
	fmt.Fprintf(&b, "# Sends a recorded request again. Set %s first; %s names another server.\n", e.keyVar, e.baseVar)
	fmt.Fprintf(&b, ": \"${%s:?set it to your key}\"\n", e.keyVar)
	fmt.Fprintf(&b, "curl \"${%s:-%s}%s\" \\\n", e.baseVar, e.base, path)
	for _, h := range e.headers {
		fmt.Fprintf(&b, "  -H \"%s\" \\\n", h)
	}
	fmt.Fprintf(&b, "  -H \"Content-Type: application/json\" \\\n  --data-binary @- <<'%s'\n", endOfBody)
	b.Write(r.Body)
	b.WriteString(endOfBody + "\n")
	return b.Bytes()
}
