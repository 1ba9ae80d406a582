// Package ui is the inspector: the full history of a thread beside what the
// provider saw at one of its calls, in a terminal.
//
// The ways of the room:
//
//   - [Run], the [Picker] and [Linear] are the ways in. root is the only Bubble Tea
//     model; the panes (tree, messages, pager) are plain structs with verbs, and paint
//     exactly as many lines and cells as they are given.
//   - Each screen has one table of keys (keytables.go lists them). It routes keys, draws
//     the hints, the help and the palette, and no key is handled beside it. One theme
//     (theme.go) says how things look. One function (layout.go) says where they are.
//   - What covers the screen or its lower part is an overlay (overlay.go): pager,
//     tree, diff, the detail of a message, chooser. The one on top gets the keys.
//   - What can be told without a screen is told in packages of its own: fuzzy ranks,
//     jsontree folds, worddiff compares, stages edits a chain, timeline lays out.
//   - Effects live in commands: reading texts, the gate, replays, searches, laying out
//     what is long (laying.go). They never touch the state; their answers carry a
//     generation, or name what they are for, and late ones are dropped. View and
//     Update do no I/O.
//   - Both message panes are one list of items (shown.go), so that a message
//     stands at the same height on both sides. A place on the screen is an item
//     and a line of it (list.go); only items near the screen are ever measured,
//     so that the cost of a key does not depend on the length of the thread.
//   - Code, JSON, diffs and Markdown are drawn plain first and in colours when a
//     command has found them (colours.go, language.go, package highlight): for what
//     is on the screen and one screen around it, and never on the way of a frame.
//   - Texts of a record are export.Safe, lens's own are words. A liner (paint.go)
//     takes nothing else, so that forgetting the gate does not compile.
//
// Bubble Tea v1 has four defects that are cured here: frames are not
// synchronised (screenWriter), keys that arrive together are one message
// (root.keyMsg), the terminal is asked for its background before main (ui/bg), and a
// terminal that hangs up is not noticed (runScreen).
//
// The package must never write to a file (what a person copies and asks for as a
// file is written by Config.Save), start a program, or show a text of a
// record that did not come through the gate. It alone imports Charm packages,
// and nothing but cmd imports it.
package ui
