// Package mlflow reads traces of MLflow: {info, data{spans}} as the web interface
// exports them and as an experiment's artifacts store them, one document, a list or
// lines, and the tables of a tracking server's SQLite database (trace_info,
// trace_request_metadata, trace_tags, spans).
//
// Evidence: the published source of both span forms, version 2 and version 3; no
// genuine file was available.
//
// Traps: every attribute value is a JSON text, so strings are quoted twice. Ids are
// hexadecimal or base64. Times are nanoseconds. A trace's data may lack its info.
// Inputs keep the form of the provider that was called.
//
// It must never use the totals of a trace as the usage of a call.
package mlflow
