// Package jsontext reads JSON by position. It has the only JSON grammar of the
// program: a [Scanner] walks values, [Read] splits a value into its members and
// keeps the whole part of a damaged one, [Mend] closes a value that was cut off,
// and [Text] decodes a string.
//
// A Scanner is lenient: it checks the structure of what it visits and skips the
// rest by matching quotes and brackets, which makes an index of gigabytes cheap.
// Read is strict: it accepts what encoding/json accepts.
//
// The package must never change a value and must never import a package of this
// module.
package jsontext
