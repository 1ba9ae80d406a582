// Package highlight classifies the bytes of a text: comments, strings, keys, headings,
// added lines. The caller maps classes to colours.
//
// A [Document] is a text cut into chunks of whole lines. Chunks are coloured one by
// one, so only visible text costs time. Scanners in this package colour JSON, diffs and
// Markdown prose line by line, at hundreds of megabytes per second. The lexers of chroma
// colour other languages at half a megabyte per second. They start at the beginning of
// the file or fenced block and stop after [maxCode] bytes or after [patience]. The rest
// of the text stays plain.
//
// The lexers package of chroma adds 7 ms to the start of every program that links it.
// This package embeds its lexer files instead (folder lexers) and reads a file when its
// language is first used.
//
// The language comes from the word on a fence, the name of a file, or the shape of JSON
// and diffs. It is never guessed from words.
//
// The package accepts any text without a panic. It must never run during a frame and
// never link the lexers or styles of chroma. No other package may import chroma.
package highlight
