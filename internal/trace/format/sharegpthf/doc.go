// Package sharegpt reads data sets of conversations for training: ShareGPT rows
// and what grew out of them. One row is one run.
//
// Such files lie anywhere, as one JSON list or as JSON Lines, of a megabyte or of
// ten gigabytes; so rows are listed by their place, and one is read at a time.
//
// Rows: {conversations: [{from, value}]}, the same with role and content, lists of
// {messages}, rows with images beside their messages, LLaMA-Factory's parts of
// {type, value}, preference rows with chosen and rejected, and rows of columns:
// {instruction, input?, output, history?, system?} and {prompt, completion}.
//
// Evidence: a genuine data set of LLaMA-Factory with images, and the published
// descriptions of the others.
//
// Traps: no ids, times or tokens; the value of a function_call is JSON in a text;
// results can be paired with calls by their place only; <image> in a text stands
// for the next of the row's images; JSON Lines of bare {messages} look the same
// whoever wrote them and are left to the reader of chat messages.
//
// It must never hold more than one row, nor guess which provider was asked.
package sharegpthf
