package help

import (
	"maps"
	"strings"

	"agentlens/internal/curate/audit"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/settings"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/export/request"
	"agentlens/internal/library/catalog"
	"agentlens/internal/redact"
)

// texts returns the help of every command.
func texts() map[string]text {
	all := hookTexts()
	maps.Copy(all, commandTexts())
	return all
}

// commandTexts returns the help of the commands without commands of their own.
func commandTexts() map[string]text {
	return map[string]text{
		"audit": {
			group: "Explain",
			short: "Report what is worth knowing about runs, ranked by cost and risk",
			long: `Print the findings of runs, most expensive first: cache breaks, messages that later
replies needed but were not sent, instructions lost at a compaction, unrecorded
edits, large messages and their cost, unused results, repeated and failed calls,
and the preset that would have saved most.

Findings with a cost are ranked by it. Risks count as a share of the cost of the run.
--all also shows findings under 1% of that cost. Calls and messages count from 1; in
JSON, message indices count from 0.

Costs: $ is recorded, ≈$ is recorded usage at list prices, ~$ is an estimate.

Kinds: ` + strings.Join(audit.Kinds(), ", ") + `

  lens audit latest
  lens audit ~/traces --json
  lens audit run.jsonl --fail-on instruction_lost,unrecorded_edit`,
			flags: map[string]string{
				"outline":  "one line for each finding",
				"messages": "only findings about these messages, counted from 1: 40..60, 40.., ..60 or 42",
				"around":   "only findings about message N or the three before and after it",
				"fail-on":  "exit with code 1 if there is a finding of these kinds",
				"all":      "also show findings under 1% of the cost",
				"json":     "print one lens.audit/1 per line for each run",
			},
		},
		"check": {
			group: "Check",
			short: "Check assertions about every call, for CI",
			long: `Replay a chain over every provider call and check each call against the assertions:
a figure, one of <= >= < > == !=, and a limit (50k, 1.5M; 5% of a share). Figures
that begin with sum. are checked once, over all calls of all runs; a request that
several files contain counts once. The other figures are checked at every call.
Without --strategy, the recorded or reconstructed views are checked. Of several
runs, or a folder, the main threads are checked; --all-threads checks every thread.

The context of a recorded call is the provider's count, where there is one. That
of a chain is computed from it, see lens compare --help. The output names the
window that a share of the context refers to, and where the window comes from:
a flag, the record, an automatic compaction, the settings or the model.

Exit codes: 1 if an assertion fails, 4 if none fails but a figure is not recorded
at some call (0 with --allow-not-recorded), and otherwise 0.

` + figures() + `

` + costHelp + `

  lens check run.jsonl --assert 'context<=50%'       # fails at calls over half the window
  lens check ~/traces --assert 'sum.cost<=20' --allow-not-recorded
  lens check traces --assert 'context<=70%' --format github
  lens check run.jsonl --strategy '@mine' --assert 'tokens<=50k' --assert 'problems==0'
  lens check run.jsonl --strategy 'token_budget(30k)' --assert 'sum.needed<10%'`,
			flags: map[string]string{
				"strategy":           "strategy chain; without it the recorded views",
				"assert":             "assertion to check; can be repeated; without it those of the project's .lens.toml",
				"thread":             "thread, by id or unique prefix",
				"all-threads":        "check every thread, including sub-agents",
				"allow-not-recorded": "exit with 0 if nothing fails but something is not recorded",
				"baseline":           "accept failures no worse than in this file, the --json output of an earlier check; fail what is worse",
				"tolerance":          "how much worse than the baseline a value may be, such as 5% (default 0)",
				"format":             "print: text, json, junit (for CI servers), sarif (for code hosts), github (annotations) or markdown (a summary)",
				"json":               "print lens.check/2",
			},
		},
		"compare": {
			group: "Try",
			short: "Compare strategies over every call",
			long: `Replay chains over every provider call and print the totals of each. TOKENS is the
size of all prompts in tokens, system prompt and tools included, and PEAK that of
the largest one: as the provider counted them for the recorded row, and computed
from these counts for the others. SAVED is the share of prompts with the full
history that is not sent. DROPPED counts the messages that are missing from the
view of a call. CACHED is the share of each prompt that repeats the previous
prompt's beginning. BROKEN counts tool calls without their result and results
without their call. REJECTED counts the calls whose view some provider would
reject. The record comes first, then the full history. Without a chain, all
presets are compared. Several sources, or a folder, are added up; a request that
several files contain counts once. The main thread of each run is compared;
--all-threads adds up every thread, sub-agents included.

` + lostHelp + "\n\n" + costHelp + `

Programs of a chain (exec, summary=command) run if the command line names the
chain.

With --base and --head, the recorded runs of two folders are compared instead: runs
with the same title, or else the same first prompt, are a pair, and the output shows
what changed for each: calls, tokens of the prompts, cost, failed calls, compactions,
and what the views lost. --max-cost-increase 5% ends with 1 if the pairs cost more than
that together, and with 4 if a call has no price.

  lens compare --base main-traces --head pr-traces --max-cost-increase 5%
  lens compare session.jsonl 'sliding_window(20)' 'truncate_tool_results(1000)'
  lens compare ~/traces @claude-code @anthropic-context-editing
  lens compare session.jsonl 'sliding_window(20)' --evidence
  lens compare session.jsonl 'exec("python3 mine.py")'`,
			flags: map[string]string{
				"strategy":          "another chain; can be repeated",
				"thread":            "thread, by id or unique prefix",
				"all-threads":       "add up every thread, including sub-agents",
				"all-calls":         "no effect: every call is checked",
				"base":              "compare the runs of this folder with their counterparts in --head",
				"head":              "the folder to compare with --base",
				"max-cost-increase": "fail if the pairs of --base and --head cost more by this share, such as 5%",
				"evidence":          "list what each chain lost: the reply, the message, and their common words",
				"json":              "print lens.compare/2, or lens.pairs/1 with --base",
			},
		},
		"config": {
			group: "Tools",
			short: "Print the settings in force and their sources",
			long: `Print the settings in force: flags win over the environment (LENS_LEVEL,
LENS_THEME; LENS_CONFIG names another file), the environment over the file
$XDG_CONFIG_HOME/lens/config.toml. The file may contain:

  level = "strict"              # redaction: off, default, strict
  theme = "light"               # auto, dark, light, high-contrast, colour-blind,
                                # none, or the table [theme]
  panes = "auto"                # of messages in the inspector: auto, both, history,
                                # sent; | changes it there

  [theme]                       # your own colours: --theme own
  base = "dark"                 # the theme of all other colours; not none
  user = "#7ee787"              # "default" is the terminal's colour
  cursor = "#263449"

  [windows]                     # context windows of models, in tokens
  "my-model" = "200k"
  "local/*" = 32768             # models with this prefix; "*": all unknown models

  [prices."my-model"]           # US dollars per million tokens
  input = 3.0
  output = 15.0
  cache_read = 0.3
  cache_write = 3.75
  cache_write_1h = 6.0          # kept for an hour

  [presets]                     # chains, used as @mine
  mine = "truncate_tool_results(1000) | sliding_window(50)"

  [filters]                     # of messages, used as @slow
  slow = "tool:Bash >5k"

  [keys]                        # of a run in the inspector: actions and commands
  next-error = ["x", "ctrl-e"]  # "" leaves an action without a key
  broken = "Z"

  [commands]                    # typed after ":" in the inspector
  broken = ":filter failed"
  code = ["code", "-g", "{path}"]  # a program, started without a shell

  [readers.mylog]               # a program for a format of your own: docs/readers.md
  program = ["python3", "/home/me/mylog.py"]
  files = "*.mylog"

Programs are given {path}, {line}, {run}, {thread}, {call} and {message}. An unknown
name in [theme] or [keys] is an error that lists valid names. The level of
the settings never makes an export less strict; --level does.

A project may have a file .lens.toml, found in the current folder or above it, up to
the root of the repository. It can hold:

  level = "strict"              # default or strict; it only raises the level
  [redact]                      # masks more
  literals = ["Acme Corp"]
  personal = ["email"]
  [windows]
  "my-model" = "200k"
  [presets]                     # chains that start no program
  ours = "truncate_tool_results(1000)"
  [check]                       # of lens check without --assert
  assert = ["context<=70%", "problems.anthropic==0"]

It wins over your own file. Any other key is an error, so a project cannot name a
program, a reader, a source or a credential, nor show what would be masked.`,
			flags: map[string]string{
				"json": "print lens.config/1",
			},
		},
		"curate": {
			group: "Explain",
			short: "Print what was sent at a call, or what a strategy would have sent",
			long: `Print what the provider was sent at one call, message by message, with the fate
of each message and the reason. With --strategy it prints what would be sent.
Without it the view is the recorded or reconstructed one; if there is none, lens
prints "not recorded" and exits with code 1. Where the history was sent as one text, lens
prints which message each part of the text came from.

  lens curate run.jsonl --strategy 'truncate_tool_results(1000) | sliding_window(50)' --call 37
  lens curate run.jsonl --strategy 'sliding_window(10)' --call all --json --brief
  lens curate run.jsonl --strategy 'sliding_window(10)' --as openai`,
			flags: map[string]string{
				"strategy": "strategy chain; lens strategies lists them",
				"call":     "call: 1…n, first, last, next (after the record) or all (default last; with --strategy next)",
				"thread":   "thread, by id or unique prefix",
				"render":   "print the view as the text that a prompt contains: flujo, task or task-section",
				"as":       "print the request messages: " + strings.Join(request.Names(), ", "),
				"against":  "recorded: compare what would be sent with the recorded view",
				"json":     "print lens.view/1; one line per call with --call all",
				"brief":    "omit the messages",
				"events":   "print HistoryCurated events, one JSON line per recorded call",
			},
		},
		"demo": {
			group: "Look",
			short: "Open the built-in example run",
			flags: inspectorFlags(),
		},
		"diff": {
			group: "Explain",
			short: "Compare the full history with what was sent, two calls, or two runs; exit 1 if they differ",
			long: `Print what a view dropped, changed and added, compared with the full history: the
view of --strategy, or the recorded view without it. With two calls, compare what
they were sent. With two runs, compare their messages by role, text and calls,
ignoring ids. With a transcript and the recorded requests of the same conversation,
compare the view of each call of the transcript with its request.

  lens diff run.jsonl --strategy 'sliding_window(20)' --call 12
  lens diff run.jsonl --call 5 --call 30
  lens diff monday.jsonl tuesday.jsonl
  lens diff transcript.jsonl wire/`,
			flags: map[string]string{
				"strategy": "strategy chain; lens strategies lists them",
				"call":     "call: 1…n, first, last, next (default last; with --strategy next); given twice, the two are compared",
				"thread":   "thread, by id or unique prefix; with two runs, of both",
				"outline":  "the numbers of the messages instead of their texts",
				"json":     "print lens.diff/1; for two calls lens.calldiff/1, for two runs lens.rundiff/1, for a transcript and requests lens.wirediff/1",
			},
		},
		"doctor": {
			group: "Tools",
			short: "Report what lens finds on this machine and what it cannot read",
			long: `Read everything that lens finds on this machine, or in the given sources. Report
the formats, the files that could not be read, with the reasons, and all warnings.
The exit code is 1 if something could not be read.`,
			flags: map[string]string{
				"json":  "print lens.doctor/1",
				"codes": "list the warning codes with an explanation of each",
				"self":  "list what lens reads, writes and runs, and what it never does",
			},
		},
		"export": {
			group: "Share",
			short: "Write a redacted transcript to share",
			long: `Write a run as Markdown, as a self-contained HTML page or as JSON, to standard
output or to --output, whose extension selects the format. lens masks secrets at
level strict unless --level is given. Before it writes anything, it searches the
whole output for every secret that it found, in all their forms; if one is left, it
writes nothing and exits with code 5. The end of the output, or
--receipt, says what was masked and what was not looked for.

The page shows the findings, the context at every call, and the messages with
the calls that were sent them. It needs no script and loads nothing. The link of a
call, such as run.html#call-37, shows what that call was sent; #m12 is message 12.
--summary writes Markdown that fits the comment of a forge.

With --call or --strategy, write what one call was sent or would have been sent,
with the dropped and changed messages marked. The formats of providers are the
request of that call with its model, tools and parameters as recorded, curl is a
script that sends it, and repro is the smallest request with a failed tool call.

  lens export run.jsonl --output run.html
  lens export run.jsonl --summary --output comment.md
  lens export run.jsonl --around 71 --no-tool-results
  lens export run.jsonl --call 37 --strategy 'sliding_window(20)' --output call37.md
  lens export run.jsonl --call 37 --format curl`,
			flags: map[string]string{
				"no-notes":        "leave out your notes on messages",
				"no-tool-results": "leave out the texts of tool results (Markdown, HTML)",
				"whole-results":   "write all lines of long tool results, however large the page gets (HTML)",
				"no-images":       "put a text in place of images and files in requests",
				"summary":         "write facts, findings and the course of the run, at most 65,000 bytes of Markdown",
				"messages":        "only these messages of a thread: 60..90, 60.. or ..90",
				"around":          "only this message and five on each side",
				"format":          Formats() + " (default: by the ending of --output, else md)",
				"output":          "file to write, or - for standard output",
				"force":           "replace the file if it exists",
				"receipt":         "also write what was masked to this file, as lens.receipt/1",
				"thread":          "one thread, by id or unique prefix (default: all threads)",
				"call":            "what this call was sent: 1…n, first, last or next (after the record)",
				"strategy":        "what the call would have been sent by this chain",
			},
		},
		"formats": {
			group: "Tools",
			short: "List the formats that lens reads",
			long: `Print the formats that lens reads, with the places where lens looks for them. lens
recognises files by their content, not their name. A reader marked "genuine files"
was tested on files that real programs wrote; one marked "second-hand" was written
from descriptions and source code.`,
			flags: map[string]string{
				"json": "print lens.formats/1",
			},
		},
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
		"lint": {
			group: "Check",
			short: "Report what providers would reject",
			long: `Check the full history, or with --strategy a view, against the rules of the
providers: calls without results, results without calls, empty messages, and
other reasons for rejecting a request, each with the provider's own error. The
exit code is 1 if something is found.

With --spec, check the records of any number of runs against the specification that
their program follows: the entries of a HistoryManager, FSD-033 of flujo,
InnerMessages, TaskHistory or Conversation History. Each rule passes, does not apply,
or fails at the places that are printed. The exit code is 1 if a rule fails.

  lens lint run.jsonl
  lens lint run.jsonl --strategy 'sliding_window(20)' --call all --provider anthropic
  lens lint --spec checkpoint.json`,
			flags: map[string]string{
				"strategy": "strategy chain; without it the full history",
				"call":     "call: 1…n, first, last, next (after the record; the default) or all",
				"thread":   "thread, by id or unique prefix",
				"provider": "only the rules of: " + strings.Join(lint.Providers(), ", "),
				"spec":     "check the record against its specification instead; takes any number of runs",
				"json":     "print lens.lint/1, one line per call with --call all; with --spec lens.spec/1, one line per run",
			},
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
some calls have no price. A run includes calls copied from other files; --total
counts each request once, for the file that begins first. Claude Code often records
too few tokens for a reply: output_estimated in --json estimates them from its text.

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
		"man": {
			short: "Print the manual page, as roff",
		},
		"mcp": {
			group: "Tools",
			short: "Serve runs to a coding agent, over the Model Context Protocol",
			long: `Answer the requests of an agent on standard input and output. Its tools are list,
view, why, audit, compare and search, which print what those commands print, outline
(a line for each message) and message (one in full). Each answer has at most
max_tokens tokens. Runs are read-only, secrets are masked, no chain may run a
program, and no socket is opened. Recorded text is fenced as data.

  claude mcp add lens -- lens mcp
  codex mcp add lens -- lens mcp`,
		},
		"redact": {
			group: "Share",
			short: "Mask the secrets in standard input",
			long: `Copy standard input to standard output with secrets masked and control characters
made visible. Lines are written when input pauses; rules also see the preceding
lines. A document or a line of JSON is masked value by value. Names of people and
unknown forms of secrets are not found. lens prints the number of masked secrets by
rule on stderr.

redact.toml next to the settings file adds rules and allow-lists in the form of
gitleaks, and literals, kinds of personal data, environment and home. lens stops if
it cannot use the whole file.

  env | lens redact
  tail -f app.log | lens redact --explain
  lens redact --level strict --pii email < session.jsonl`,
			flags: map[string]string{
				"explain": "print the line, the rule and the reason of every mask on stderr",
			},
		},
		"resume": {
			group: "Explain",
			short: "Print what would run and be sent if the conversation continued",
			long: `Print how an interrupted conversation would continue: the latest evaluation, the
calls that run first, the next sequence and turn, the messages that would be
sent, where they differ from the record, and the timeline of snapshots. A call is
done if its result is recorded, whatever its status. Whether a tool only reads is
assumed from its name, unless its definition says so. A finished run and one that
waits for a person say so.
The exit code is 1 if the conversation cannot be resumed, and 3 if its snapshot is
torn: file#id@N resumes from an earlier one.

  lens resume snapshot.json
  lens resume snapshot.json --prompt agents/worker/executor
  lens resume session.jsonl --as anthropic`,
			flags: map[string]string{
				"thread": "thread, by id or unique prefix (default: the latest evaluation)",
				"prompt": "ns/key of the prompt to continue with (default: the newest PromptRendered)",
				"as":     "print the request messages: " + strings.Join(request.Names(), ", "),
				"json":   "print lens.resume/1",
			},
		},
		"schema": {
			group: "Tools",
			short: "Print the JSON Schema of an output",
			long: `Print the JSON Schema (draft 2020-12) of a JSON output, or the names of all
schemas. A name without a version selects the newest version.

  lens schema
  lens schema lens.run/1
  lens schema audit`,
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
some calls have no price.

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
		"strategies": {
			group: "Try",
			short: "List strategies and presets; convert chains to and from other programs' settings",
			long:  strategiesHelp(),
			flags: map[string]string{
				"json": "print lens.strategies/1, or lens.setting/1 with --to and --from",
				"to":   "print the chain as settings of: " + strings.Join(settings.Writable(), ", "),
				"from": "print the chain of another program's settings: FILE, or FILE#loop for one of several",
			},
		},
		"tokens": {
			group: "Tools",
			short: "Count the tokens of text, like wc",
			long: `Count the tokens of files, or of standard input, as plain text. The default
encoding is o200k, that of OpenAI's newer models. For models without a public
tokenizer (Claude, Gemini) the count is an estimate, marked ~. Invalid UTF-8
counts as the replacement character. Files can be of any size.

With --jsonl, each line is an object with a "text", and lens prints a line with
its "tokens". For an invalid line, lens prints null and an error on stderr.

  lens tokens prompt.md notes/*.md
  git diff | lens tokens --model claude-sonnet-4-5
  jq -c '{text: .content}' log.jsonl | lens tokens --jsonl`,
			flags: map[string]string{
				"encoding": "count with: " + strings.Join(tokens.Names(), ", ") + " (default o200k)",
				"model":    "use this model's tokenizer if it is public, else estimate",
				"json":     "print lens.tokens/1",
				"jsonl":    `read {"text"} lines, print {"tokens"} lines`,
			},
		},
		"version": {group: "Tools", short: "Print the version"},
		"why": {
			group: "Explain",
			short: "Explain what was sent at a call: its source, size, cost and cache",
			long: `Print what lens knows about one call: where its view comes from, how many messages
and tokens the history has and how many were sent, what fills the context, what is
new since the previous call, what the provider counted, its cost, and its place in
the record.

  lens why latest
  lens why run.jsonl --call 37
  lens why run.jsonl --call 37 --strategy 'sliding_window(20)'`,
			flags: map[string]string{
				"call":     "call: 1…n, first, last or next (default last; with --strategy next)",
				"thread":   "thread, by id or unique prefix",
				"strategy": "explain the view of this chain",
				"json":     "print lens.why/1",
			},
		},
		"tune": {
			group: "Try",
			short: "Search for the strategies that fit a budget and lose least",
			long: `Replay a grid of strategies and parameters over every provider call of runs, or
of all runs of a folder, and print those that no other beats, cheapest first. One
chain beats another if it costs no more and loses less of what replies needed, or
costs less and loses no more. If both are equal, fewer lost instructions decide,
then fewer lost results that were requested again. Cost is in dollars, or in
tokens sent if some call has no price. A chain is left out if some prompt,
system prompt and tools included, exceeds the budget, if some view is empty, or if
it loses more than --max-loss of what was needed. The columns are those of lens compare.

` + lostHelp + "\n\n" + costHelp + `

A record shows one course of events: with another view the agent might have acted
differently. Take the result as a list of chains worth trying.

  lens tune ~/traces --budget 50k --max-loss 5%`,
			flags: map[string]string{
				"budget":   "tokens no prompt may exceed, such as 50k",
				"max-loss": "highest share of what was needed that may be lost, such as 5%",
				"thread":   "thread, by id or unique prefix",
				"json":     "print lens.tune/2",
			},
		},
	}
}
