// Package ui is the full-screen program. It holds no code: its packages do, and imports go
// down this list only.
//
//	inspector   the program of one run: routes keys, holds the state, does intents
//	linear      the same run line by line, at a prompt
//	picker      the program that chooses a run
//	screens/*   what covers the panes or is under them: pager, tree, diff, message, compare,
//	            chooser, timeline, chain
//	panes       the threads and the two message panes
//	inspection  the run, thread, call and view of a person, and what can be asked of them
//	view        a run and a view as they are shown: labels, aligned rows, texts, facts
//	kit         what screens are made of: line writer, theme, wrapping, key tables, inputs
//	job         work away from the frame; late answers are dropped here
//	term        the terminal, and the cures of Bubble Tea v1
//
// Packages without a screen stand alone: fuzzy ranks, highlight colours code, jsontree folds
// JSON, stages edits a chain, chart lays out calls, worddiff compares texts, text
// measures and wraps. uitest and kit/kittest are for tests.
//
//   - The inspector and the picker are the only Bubble Tea models. A screen is a plain struct
//     behind [kit.Screen]. It gets its [kit.Host] at each call and asks it with intents.
//   - Each screen has one table of keys. It routes keys and draws the hints, the help and
//     the palette.
//   - View and Update do no I/O. Work runs in a job and returns what takes its result over.
//   - Only items near the cursor are measured, so that a key costs the same in a thread of any
//     length. Texts are drawn plain first, and in colours once a job has found them.
//   - Texts of a record are safe.Safe, those of lens are kit.Words. A line writer takes nothing
//     else, so code that forgets the gate does not compile.
//
// No package here writes to a file, starts a program, or shows a text of a record that did not
// come through the gate. They alone import Charm packages, and only commands import them.
package ui
