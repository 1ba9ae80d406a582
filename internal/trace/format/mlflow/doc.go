// Package mlflow reads traces of MLflow: {info, data{spans}} as its interface
// exports them and as it keeps them in an experiment's artifacts, one document,
// a list or lines, and the tables of a tracking server's SQLite database (tables
// trace_info, trace_request_metadata, trace_tags, spans).
//
// Evidence: the published source of both span forms, that of version 2 and that of
// version 3; no genuine file was at hand.
//
// Traps: every attribute's value is a JSON text, so that texts are quoted twice;
// ids are hexadecimal or base64; times are nanoseconds; a trace's data may stand
// without its info; inputs keep the form of the provider that was called.
//
// It must never take the totals of a trace for the usage of a call.
package mlflow
