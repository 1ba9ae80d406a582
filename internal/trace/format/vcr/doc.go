// Package vcr reads cassettes: what libraries that record web traffic for tests
// keep of it, as far as it holds requests to models. It brings a cassette to the
// form of HAR, and package bodies reads the bodies, as for package har.
//
// Shapes, in YAML or JSON: {interactions or http_interactions: [{request{method,
// uri or url, headers, body}, response{status, headers, body}, recorded_at?}]}. A
// body is a text, {string}, {base64_string}, or a value beside it, parsed_body; a
// status is a number, {code, message}, or a text beside a code.
//
// Where such files live: folders named cassettes or fixtures of test suites.
// Evidence: the documentation of VCR for Ruby, VCR.py, betamax, go-vcr and vcr for
// R, second-hand.
//
// Traps: YAML writes bytes as !!binary, which may be packed by gzip; writers of
// YAML repeat what is equal by aliases, of which a few lines can stand for
// gigabytes; headers hold keys.
//
// It must never expand aliases without a bound, and never take an interaction for
// a conversation by its address alone.
package vcr
