// Package pydanticai reads message histories of pydantic-ai as its type adapter
// writes them: a list of requests and responses, each with parts.
//
// Evidence: the framework's published source; no genuine file was at hand.
//
// Traps: one request may hold a system prompt, a prompt and several results;
// instructions are repeated in every request and are no part; a retry prompt
// answers a call, or stands alone; arguments are a text or an object; input tokens
// hold the cached ones, and older files name them otherwise; a history may have
// been cut before it was sent, which the file does not tell.
//
// It must never show instructions once per request.
package pydanticai
