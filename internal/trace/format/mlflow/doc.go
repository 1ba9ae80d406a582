// Package mlflow reads traces of MLflow: {info, data{spans}} as exported by the web
// interface or stored as artifacts of an experiment, in one document, a list or
// lines. It also reads the tables of a tracking server's SQLite database
// (trace_info, trace_request_metadata, trace_tags, spans).
//
// Evidence: the published source of both span forms, version 2 and version 3; no
// genuine file was available.
//
// Traps: every attribute value is encoded as JSON, so strings are quoted twice. Ids
// are hexadecimal or base64. Times are nanoseconds. A trace's data may lack its
// info. Inputs have the form of the called provider's interface.
//
// This package must never use the totals of a trace as the usage of a call.
package mlflow
