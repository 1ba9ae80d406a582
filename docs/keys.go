// Package docs holds the pages that the program prints.
//
// It must never hold a page that nothing checks against the program.
package docs

import _ "embed"

// Keys is the page of keys, in Markdown.
//
//go:embed keys.md
var Keys string
