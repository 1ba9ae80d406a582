package help

import (
	"strings"

	"agentlens/internal/library/catalog"
	"agentlens/internal/redact"
)

// lookTexts returns the help of lens itself and of the commands that show runs.
func lookTexts() map[string]text {
	return map[string]text{
		"lens": {
			short: "See what the model saw",
			long: `lens opens the records of a language-model agent, shows the full history next to
what the provider was sent at each call, and replays any history strategy. It
works offline and never changes a file that it reads.

  lens                                          choose from the runs of this machine
  lens demo                                     the built-in example run
  lens session.jsonl                            the inspector: also a folder, an id, < FILE
  lens view session.jsonl --strategy 'sliding_window(20)' --call last
  lens cost --since 7d                          what the last week cost`,
			flags: map[string]string{
				"level":    "redaction: off, default or strict (default for exports: strict)",
				"pii":      "also mask personal data: " + strings.Join(redact.Kinds(), ", "),
				"color":    "colour the output: auto (on a terminal), always or never",
				"wait":     "keep retrying while another program is writing to a database",
				"large":    "unpack compressed files of any size",
				"insecure": "do not verify the certificates of servers",
				"cache":    "keep runs that are fetched from servers, and fetch only changed ones again (see lens cache)",
			},
		},
		"man": {
			short: "Print the manual page, as roff",
		},
		"demo": {
			group: "Look",
			short: "Open the built-in example run",
			flags: inspectorFlags(),
		},
		"list": {
			group: "Look",
			short: "List the runs of files and folders, or of this machine",
			long: `List runs, newest first on a terminal; in a pipe as they are read, newest file first.
Without a source, list the runs in the current folder and in the places where agents
write (see lens formats). lens caches what it read until the file changes.

On a terminal, the table fits its width: the least important columns are left out
first. WHEN is the time of the last call or message. In a pipe, the columns are
tab-separated, with whole values, times in UTC and costs in US dollars.

CALLS are requests to the model. TOKENS are the recorded tokens of all prompts,
cached or not, and of all replies. (TOKENS of lens compare counts only prompts.)

COST is $ as recorded, or ≈$ for the recorded usage at list prices. ≥ means that
it leaves something out: calls without a price, or replies whose recorded size is a
placeholder, as Claude Code often writes it; output_estimated in --json estimates
them. A run includes calls copied from other files; --total counts each request
once, for the file that begins first.

  lens list --since 2d --has error
  lens list ~/traces --format codex --sort tokens --limit 20`,
			flags: map[string]string{
				"reverse": "reverse the order",
				"sort":    "sort by: " + strings.Join(catalog.Orders(), ", "),
				"limit":   "list at most N runs",
				"json":    "print lens.list/1",
				"jsonl":   "print one RUN of lens.list/1 per line",
				"total":   "print the sum, with each request counted once",
			},
		},
		"search": {
			group: "Look",
			short: "Search the messages of all runs; exit 1 if nothing matches",
			long: `Search texts, thinking, tool calls and results of the runs of this machine, or of
the given sources. Case is ignored unless the pattern contains a capital letter.
Masked text is not searched. A hit is a message, with its number and its call: the
call that replied with it or, for other messages, the first call that was given it.
-A, -B and -C also print the messages around it.

With --failed, search only results of failed tool calls, or the calls themselves if
they have no result. The pattern is then optional; a first word that names a file,
a folder, demo or latest is a source.

  lens search 'connection refused' --role tool -C 2
  lens search -e 'exit code [1-9]' ~/traces --tool Bash
  lens search --failed run.jsonl`,
			flags: map[string]string{
				"regexp":    "the pattern is a regular expression",
				"failed":    "only messages of failed tool calls",
				"role":      "only messages of: system, user, assistant, tool",
				"tool":      "only calls to this tool, and their results",
				"max-count": "print at most N hits of each run",
				"after":     "also print N messages after each hit",
				"before":    "also print N messages before each hit",
				"context":   "also print N messages before and after each hit",
				"outline":   "one line for each run, with the numbers of its matching messages",
				"count":     "print the number of matching messages of each source",
				"files":     "print only the sources that match",
				"json":      "print one hit of lens.search/1 per line",
			},
		},
		"show": {
			group: "Look",
			short: "Open a run in the inspector; print it as a transcript when piped",
			long: `Open a run: the full history next to what the provider was sent at each call.

<run> is a path, source#id, an id or its unique prefix, latest, demo, or - for
standard input. If standard output is not a terminal, lens prints a plain
transcript. --filter, --role, --tool, --step and --badge choose messages of the
transcript or, with --json, of lens.run/1.

A filter is a list of terms that must all match, as of the last call:

` + filterTerms() + `
  lens show latest
  lens show run.jsonl --role tool --tool grep
  lens show run.jsonl --filter 'tool:Bash >5k failed'`,
			flags: showFlagHelp(),
		},
		"cost": {
			group: "Look",
			short: "Print what runs cost, by day",
			long: `Print what the runs of this machine, or of the given sources, used and cost: lens
stats with --by day. See lens stats --help for the columns.

  lens cost --since 7d
  lens cost ~/traces --by model`,
			flags: map[string]string{
				"by":   "sum by: " + strings.Join(catalog.Groups(), ", "),
				"json": "print lens.stats/1",
			},
		},
		"stats": {
			group: "Look",
			short: "Sum tokens, cost and failures over runs, by model, tool, day, …",
			long: `Add up the runs of this machine, or of the given sources: their number, messages,
calls, tokens and cost, failed tool calls, pending calls and compactions. Tokens are
the recorded ones of prompts (cached or not) and replies; a record without counts
adds none. A call that several files contain counts once, for the file that begins
first. By day, week or month, each call and message counts at its own time. With
--since or --until, only the calls and messages in that time count. Columns that
apply only to whole runs then show –, as they do by model, tool, day, week and month.
In a pipe, the columns are tab-separated, without the sum.

COST is $ as recorded, or ≈$ for the recorded usage at list prices. ≥ means that
it leaves something out: calls without a price, or replies whose recorded size is a
placeholder, as Claude Code often writes it.

By tool, each prompt is divided among its messages: a tool's tokens and cost include
its results in every prompt that contains them. (people), (replies) and (system prompt
and tools) share the rest of the prompts; (replies) also includes the output.

  lens stats --by model --since 7d
  lens stats ~/traces --by tool`,
			flags: map[string]string{
				"by":   "sum by: " + strings.Join(catalog.Groups(), ", "),
				"json": "print lens.stats/1",
			},
		},
	}
}
