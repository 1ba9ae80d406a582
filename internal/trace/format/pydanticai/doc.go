// Package pydanticai reads message histories of pydantic-ai as its type adapter
// writes them: a list of requests and responses, each with parts.
//
// Evidence: the framework's published source; no genuine file was available.
//
// Traps: one request may hold a system prompt, a user prompt and several results.
// Every request repeats the instructions, which are not a part. A retry prompt
// answers a call, or is independent of any call. Arguments are a string or an
// object. Input tokens include cached ones, and older files use other names for
// them. A history may be shortened before it is sent, and the file does not show
// it.
//
// This package must never repeat unchanged instructions for each request.
package pydanticai
