// Package geminicli reads the chat recordings of Gemini CLI.
//
// They live in ~/.gemini/tmp/<project>/chats/session-<time>-<id>.json, one JSON
// document, and since version 0.40 .jsonl; recordings of sub-agents stand in a
// folder below.
//
// Evidence: genuine files of both kinds; rewinds and replaced histories from the
// program's own source. Traps that are met here:
//
//   - a line with an id that was there before replaces that message in place;
//   - `$set` changes the header, but `$set.messages` replaces the history: with
//     new messages it is a compression, with fewer a rollback; where it holds
//     other texts for results, these were masked, and the recording's own stay;
//   - such a history repeats results as turns of the user;
//   - `$rewindTo` drops a message and all after it;
//   - the recorded input holds what was read from the cache, the output does not
//     hold the thoughts;
//   - a record whose tokens are all zero shares its request with a neighbour;
//   - outputs of tools are cut by the program at about 50 KB.
package geminicli
