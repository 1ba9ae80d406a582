// Package commonmark checks the Markdown of lens with an independent parser. It holds only tests.
package commonmark
