// Package reference implements the commands that print what lens knows without reading a run: lens formats, lens
// strategies, lens schema and lens config.
//
// It must never open a record.
package reference
