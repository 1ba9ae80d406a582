// Package page draws the parts of an HTML page that hold no text of a run: the style sheet, the timeline as SVG,
// and for each message the calls that were sent it.
//
// What it returns is made of numbers and of its own words. It must never take a text of a run.
package page
