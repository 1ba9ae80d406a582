// Package flujo knows what flujo's history manager does beside bounding a
// history: how it renders one into a prompt, and which turns a loop records.
//
// Both were measured on flujo itself. A replayed view is rendered as flujo would
// have, so that it can be held against a recorded prompt; a history is rebuilt
// from recorded step results as another choice of turn sources would have made it.
//
// It must never take a rebuilt history for a recorded one.
package flujo
