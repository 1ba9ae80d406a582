// Package gemini reads bodies of Google's generateContent interface: requests,
// responses and streams, alone or in the wrappers package wire knows.
//
// Where such files live: logs of proxies and of clients, recorded fixtures, dumps
// of the client libraries; histories Gemini CLI saves by
// name, ~/.gemini/tmp/<project>/checkpoint-<name>.json. Evidence: the provider's interface reference.
//
// Traps: members are in camel case or, in dumps of the Python library, in snake
// case; calls often have no id, and results go by name and order; a stream is a
// list of responses, each with a piece of the text and the usage so far; thinking
// is not in candidatesTokenCount; a cached content stands before the request.
//
// Of several candidates the first is the reply; the others are in the document
// that holds the response. It must never add a stream's figures of usage up.
package gemini
