package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentlens/internal/curate"
	"agentlens/internal/curate/audit"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/settings"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/export/request"
	"agentlens/internal/library/catalog"
	"agentlens/internal/ui/kit"
)

// A commandHelp is the text of a command's --help. The usage of a flag comes from flags, or from sharedFlags if
// flags does not list it.
type commandHelp struct {
	short, long string
	flags       map[string]string
}

// describe writes the help texts into root and its commands.
func describe(root *cobra.Command) {
	texts, shared := commandHelps(), sharedFlags()
	for _, cmd := range append(root.Commands(), root) {
		text := texts[cmd.Name()]
		cmd.Short, cmd.Long = text.short, text.long
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) {
				if f.Usage = shared[f.Name]; text.flags[f.Name] != "" {
					f.Usage = text.flags[f.Name]
				}
			})
		}
	}
}

// sharedFlags returns the usage of flags that several commands share.
func sharedFlags() map[string]string {
	return map[string]string{
		"tokens":           "count by: exact (as the model does; the default where its tokenizer is public), " + strings.Join(curate.Estimators(), ", "),
		"window":           "size of the context window in tokens (default: as recorded, else as proved by a compaction, else of the settings or the model)",
		"strategy-file":    "read the chain from a setting: FILE or FILE#loop; lens strategies --help lists the kinds",
		"format":           "only this format; lens formats names them",
		"status":           "only runs of this status: " + statuses(),
		"model":            "only runs with a model whose name holds this",
		"since":            "only runs since a date, or 90m, 12h, 7d, 2w ago",
		"min-tokens":       "only runs of at least so many tokens",
		"has":              "only runs that have: pending, error, compaction, subagent",
		"no-cache":         "read every file again",
		"theme":            strings.Join(kit.Themes(), ", ") + " (default auto)",
		"linear":           "numbered lines and a prompt, for screen readers (also LENS_LINEAR=1)",
		"no-mouse":         "leave the mouse to the terminal",
		"program-timeout":  `time a program of the chain may take: exec("…"), summary=command("…")`,
		"program-unmasked": "give programs of the chain the texts with their secrets",
	}
}

// inspectorFlags returns the usage of the flags of show and demo.
func inspectorFlags() map[string]string {
	return map[string]string{
		"json":     "print lens.run/1",
		"requests": "with --json, print the definitions of the tools that each call offered",
		"thread":   "thread, by id or unique prefix",
		"call":     "call to start at: 1…n, first, last, next",
		"strategy": "strategy chain to start with",
		"document": "print one document of the run by name",
		"follow":   "show what is written to the source from now on",
		"tokens":   "with --json, count by: exact (the model's tokenizer), " + strings.Join(tokens.Names(), ", "),
	}
}

// commandHelps returns the help of every command.
func commandHelps() map[string]commandHelp {
	return map[string]commandHelp{
		"audit": {
			short: "What is worth knowing about a run, ranked by money and risk",
			long: `Print the findings of runs, the most expensive first: lost cache, what later
replies needed and no longer had, instructions lost at a compaction, unrecorded
edits, large messages and what it cost to send them, results never used, repeated
and failed calls, and the preset that would have saved most.

A finding with a cost weighs its dollars. A risk weighs a share of the cost of the
run. Findings under 1% are shown with --all. Calls and messages count from 1; in
JSON, messages count from 0.

Costs: $ is recorded, ≈$ is recorded usage at list prices, ~$ is an estimate.

Kinds: ` + strings.Join(audit.Kinds(), ", ") + `

  lens audit latest
  lens audit ~/traces --json
  lens audit run.jsonl --fail-on instruction_lost,unrecorded_edit`,
			flags: map[string]string{
				"fail-on": "exit with code 1 if there is a finding of these kinds",
				"all":     "show findings under 1% of the cost, too",
				"json":    "print one lens.audit/1 per line for each run",
			},
		},
		"check": {
			short: "Assert what a strategy comes to at every call: for CI",
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

` + figuresHelp() + `

` + costHelp + `

  lens check run.jsonl --assert 'context<=50%'       # which calls pass half the window
  lens check ~/traces --assert 'sum.cost<=20' --allow-not-recorded
  lens check run.jsonl --strategy '@mine' --assert 'tokens<=50k' --assert 'problems==0'
  lens check run.jsonl --strategy 'token_budget(30k)' --assert 'sum.needed<10%'`,
			flags: map[string]string{
				"strategy":           "strategy chain; without it the recorded views",
				"assert":             "what must hold; may be given several times",
				"thread":             "thread, by id or unique prefix",
				"all-threads":        "check every thread, sub-agents included",
				"allow-not-recorded": "exit with 0 if nothing fails but something is not recorded",
				"json":               "print lens.check/2",
			},
		},
		"compare": {
			short: "Strategies side by side, over every call of a thread",
			long: `Replay chains over every provider call and print the totals of each. SENT is the
size of all prompts in tokens, system prompt and tools included, and PEAK that of
the largest one: as the provider counted them for the recorded row, and computed
from these counts for the others. SAVED is the share of prompts with the full
history that is not sent. DROPPED counts the messages that are missing from the
view of a call. CACHEABLE is the share of each prompt that repeats the previous
prompt's beginning. BROKEN counts tool calls without their result and results
without their call. REFUSED counts the calls whose view some provider would
refuse. The record comes first, then the full history. Without a chain, all
presets are compared. Several sources, or a folder, are added up; a request that
several files contain counts once.

` + lostHelp + "\n\n" + costHelp + `

Programs of a chain (exec, summary=command) run if the command line names the
chain.

  lens compare session.jsonl 'sliding_window(20)' 'truncate_tool_results(1000)'
  lens compare ~/traces @claude-code @anthropic-context-editing
  lens compare session.jsonl 'sliding_window(20)' --evidence
  lens compare session.jsonl 'exec("python3 mine.py")'`,
			flags: map[string]string{
				"strategy":  "a further chain; may be given several times",
				"thread":    "thread, by id or unique prefix",
				"all-calls": "look for what providers refuse at every call, also of long threads",
				"evidence":  "list what each chain lost: the reply, the message, and their common words",
				"json":      "print lens.compare/2",
			},
		},
		"config": {
			short: "The settings in force, and where each comes from",
			long: `Print the settings in force: flags win over the environment (LENS_LEVEL,
LENS_THEME; LENS_CONFIG names another file), the environment over the file
$XDG_CONFIG_HOME/lens/config.toml. All that can be in the file:

  level = "strict"              # redaction: off, default, strict
  theme = "light"               # or, in its place, the table [theme]

  [theme]                       # colours of your own; --theme own
  base = "dark"                 # for all that is not named: auto, dark, light
  user = "#7ee787"              # "default" is the colour of the terminal
  cursor = "#263449"

  [windows]                     # context windows of models, in tokens
  "my-model" = "200k"
  "local/*" = 32768             # all that begin so; "*": all that are unknown

  [prices."my-model"]           # US dollars per million tokens
  input = 3.0
  output = 15.0
  cache_read = 0.3
  cache_write = 3.75
  cache_write_1h = 6.0          # kept for an hour

  [presets]                     # chains, used as @mine
  mine = "truncate_tool_results(1000) | sliding_window(50)"

A name in [theme] that is no part of the screen is answered with all there are.
A level of the settings makes no export less strict; --level does.`,
			flags: map[string]string{
				"json": "print lens.config/1",
			},
		},
		"curate": {
			short: "One view, explained: what a strategy would have sent at a call",
			long: `Print what the provider was given at one call, message by message, each with its
fate and the reason. With --strategy the view is simulated; without it, it is
the recorded or reconstructed one, and "not recorded" with exit code 1 when the
record tells neither.

  lens curate run.jsonl --strategy 'truncate_tool_results(1000) | sliding_window(50)' --call 37
  lens curate run.jsonl --strategy 'sliding_window(10)' --call all --json --brief
  lens curate run.jsonl --strategy 'sliding_window(10)' --as openai`,
			flags: map[string]string{
				"strategy": "strategy chain; lens strategies lists them",
				"call":     "call: 1…n, first, last, next (after the record; the default) or all",
				"thread":   "thread, by id or unique prefix",
				"render":   "print the view as the one text a prompt holds: flujo, task or task-section",
				"turns":    "flujo: rebuild the history from step results: ai=last|all_agents|[step, …], user=hitl|[step, …]",
				"as":       "print the request messages: " + strings.Join(request.Names(), ", "),
				"against":  "recorded: hold the simulated view to the recorded one",
				"json":     "print lens.view/1; one line per call with --call all",
				"brief":    "leave the messages out",
				"events":   "print HistoryCurated events, one JSON line per recorded call",
			},
		},
		"demo": {
			short: "Open the built-in run",
			flags: inspectorFlags(),
		},
		"diff": {
			short: "Full history against what the provider saw, call against call, or run against run; exit 1 when they differ",
			long: `Print what a view dropped, changed and added, against the full history: the view
of --strategy, or the recorded one without it. With two calls, what the second was
sent is held against what the first was. With two runs, print which messages
of the second are not as in the first: by role, text and calls, whatever their ids.
A transcript and the recorded requests of the same conversation are compared call by
call: the transcript's view of call k with request k.

  lens diff run.jsonl --strategy 'sliding_window(20)' --call 12
  lens diff run.jsonl --call 5 --call 30
  lens diff monday.jsonl tuesday.jsonl
  lens diff transcript.jsonl wire/`,
			flags: map[string]string{
				"strategy": "strategy chain; lens strategies lists them",
				"call":     "call: 1…n, first, last, next (the default); two are held against each other",
				"thread":   "thread, by id or unique prefix; of two runs, of both",
				"json":     "print lens.diff/1, of two calls lens.calldiff/1, of two runs lens.rundiff/1, of a transcript and requests lens.wirediff/1",
			},
		},
		"doctor": {
			short: "What was found here, and what could not be read, with the reasons",
			long: `Read everything lens finds on this machine, or in the sources named, and say what
it is, what could not be read and why, and what was noticed on the way. Exit
code 1 when something could not be read.`,
			flags: map[string]string{
				"json":  "print lens.doctor/1",
				"codes": "list the warning codes with an explanation of each",
			},
		},
		"export": {
			short: "A redacted transcript to share",
			long: `Write a run as Markdown, as a page that stands alone or as JSON, secrets masked
at level strict unless --level says otherwise, to standard output or to --output
(never over an existing file), whose ending names the format too.

With --call or --strategy it is what one call was sent, or would have been: what
was dropped and changed is told in its place. The formats of providers are its
request messages.

  lens export run.jsonl --output run.html
  lens export run.jsonl --call 37 --strategy 'sliding_window(20)' --output call37.md
  lens export run.jsonl --call 37 --format anthropic`,
			flags: map[string]string{
				"format":   strings.Join(formatNames(), ", ") + " (default: by the ending of --output, else md)",
				"output":   "file to write; it must not exist",
				"thread":   "one thread, by id or unique prefix; else all of them",
				"call":     "what this call was sent: 1…n, first, last or next, the one after the record",
				"strategy": "what the call would have been sent by this chain",
			},
		},
		"formats": {
			short: "The formats lens reads, where they live, and how well each reader is proven",
			long: `Print what lens reads. Files are told by their content, whatever their name. A
reader proven on "genuine files" was tested on files that real programs wrote;
one that is "second-hand" was written from descriptions and sources alone.`,
			flags: map[string]string{
				"json": "print lens.formats/1",
			},
		},
		"lens": {
			short: "See what the model saw",
			long: `lens opens what a language-model agent left behind, shows the full history
beside what the provider was sent at each call, and replays any history
strategy on it. It works offline and never changes a file it reads.

  lens                                          the runs of this machine, to pick one
  lens show demo                                a built-in run to try it on
  lens show session.jsonl                       the inspector
  lens curate session.jsonl --strategy 'sliding_window(20)' --call last`,
			flags: map[string]string{
				"level": "redaction: off, default or strict (exports: strict unless said otherwise here)",
				"pii":   "personal data to mask too: email",
			},
		},
		"lint": {
			short: "What a provider would refuse in a history or a view of it",
			long: `Hold the full history, or with --strategy a view of it, to the rules of the
providers: calls without results, results without calls, empty messages, and
what else a request is turned down for, each with the provider's own words.
Exit code 1 when something is found.

  lens lint run.jsonl
  lens lint run.jsonl --strategy 'sliding_window(20)' --call all --provider anthropic`,
			flags: map[string]string{
				"strategy": "strategy chain; without it the full history",
				"call":     "call: 1…n, first, last, next (after the record; the default) or all",
				"thread":   "thread, by id or unique prefix",
				"provider": "only the rules of: " + strings.Join(lint.Providers(), ", "),
				"json":     "print lens.lint/1; one line per call with --call all",
			},
		},
		"list": {
			short: "The runs of files and folders, or of this machine",
			long: `List runs, newest file first, as they are found. Without a source: what lies in
the current folder, and in the places where agents write; lens formats names
them. What was read is remembered in the cache folder until the file changes.

CALLS are requests to the model. TOKENS are what their usage says, as recorded: all
prompts, cached or not, and all replies. (SENT of lens compare counts the prompts
alone.)

COST is $ as recorded, or ≈$ for the recorded usage at list prices. ≥ means that
some calls have no price. A run shows its own calls, copied ones included. --total
counts a request once, for the file that begins first. Claude Code often records too
few tokens for a reply: output_estimated of --json is what its text suggests.

  lens list --since 2d --has error
  lens list ~/traces --format codex --sort tokens --limit 20`,
			flags: map[string]string{
				"sort":  "sort by: " + strings.Join(catalog.Orders(), ", "),
				"limit": "no more than so many runs",
				"json":  "print lens.list/1",
				"jsonl": "print one RUN of lens.list/1 per line",
				"total": "print the sum, with each request counted once",
			},
		},
		"man": {
			short: "Print the manual page, as roff",
		},
		"redact": {
			short: "Filter: text in, the same text with its secrets masked out",
			long: `Copy standard input to standard output with secrets masked and control
characters made visible. Names of people and unknown forms of secrets are not
found. What was masked is counted on stderr, by rule.

  env | lens redact
  lens redact --level strict --pii email < session.jsonl`,
		},
		"resume": {
			short: "What would be sent if the conversation went on",
			long: `Print how an interrupted conversation would go on: the latest evaluation, the
calls that wait for a result, the next sequence and turn, and the messages that
would be sent. A call is done when its result is there, whatever its status
says. Exit code 1 when it cannot be resumed.

  lens resume snapshot.json
  lens resume snapshot.json --prompt agents/worker/executor
  lens resume session.jsonl --as anthropic`,
			flags: map[string]string{
				"thread": "thread, by id or unique prefix; else the latest evaluation",
				"prompt": "ns/key of the prompt it is to go on with; else the newest PromptRendered",
				"as":     "print the request messages: " + strings.Join(request.Names(), ", "),
				"json":   "print lens.resume/1",
			},
		},
		"schema": {
			short: "The JSON Schema of an output with --json",
			long: `Print the JSON Schema (draft 2020-12) of a JSON output, or the names of all
schemas. A name without a version is the newest version.

  lens schema
  lens schema lens.run/1
  lens schema audit`,
		},
		"search": {
			short: "Look for a text in the messages of all runs; exit 1 when it is nowhere",
			long: `Search texts, thinking, tool calls and results of the runs of this machine, or of
the sources named. Letters match in either case unless the pattern holds a
capital. What a mask covers is not found.

With --failed: only results of failed tool calls, or the calls where there is no
result. The pattern may be left out then; a first word that names a file, a folder,
demo or latest is a source.

  lens search 'connection refused' --role tool
  lens search -e 'exit code [1-9]' ~/traces --tool Bash
  lens search --failed run.jsonl`,
			flags: map[string]string{
				"regexp":    "the pattern is a regular expression",
				"failed":    "only messages that tell of a failed tool call",
				"role":      "only messages of: system, user, assistant, tool",
				"tool":      "only calls to this tool, and their results",
				"max-count": "no more than so many hits of a run",
				"count":     "print how many messages of each source hold it",
				"files":     "print the sources that hold it",
				"json":      "print one hit of lens.search/1 per line",
			},
		},
		"show": {
			short: "Open a run in the inspector; print it as a transcript when piped",
			long: `Open a run: the full history beside what the provider saw at each call.

<run> is a path, source#id, an id or its unique prefix, latest, demo, or - for
standard input. When standard output is no terminal a plain transcript is
printed.`,
			flags: inspectorFlags(),
		},
		"stats": {
			short: "Sums over runs: tokens, cost, failures, by model, tool, day, …",
			long: `Add up the runs of this machine, or of the sources named: how many, their
messages, calls, tokens and cost, failed tool calls, pending calls and
compactions. Tokens are prompts (cached ones included) and replies, as recorded;
a record without counts adds none. A call that several files hold counts once, for
the file that begins first. By day, each call and message counts on its own day. By
model, by tool and by day, figures of whole runs are –.

COST is $ as recorded, or ≈$ for the recorded usage at list prices. ≥ means that
some calls have no price.

By tool, each prompt is divided among the messages in it: a tool pays for its results
in all prompts that hold them. (people), (replies) and (system prompt and tools) are
the rest of the prompts, and (replies) also pays for the output.

  lens stats --by model --since 7d
  lens stats ~/traces --by tool`,
			flags: map[string]string{
				"by":   "sum by: " + strings.Join(catalog.Groups(), ", "),
				"json": "print lens.stats/1",
			},
		},
		"strategies": {
			short: "The strategies and presets, with their parameters; chains as other programs' settings",
			long:  strategiesHelp(),
			flags: map[string]string{
				"json": "print lens.strategies/1, or lens.setting/1 with --to and --from",
				"to":   "print the chain as a setting of: " + strings.Join(settings.Writable(), ", "),
				"from": "print the chain that a setting is: FILE, or FILE#loop for one of several",
			},
		},
		"tokens": {
			short: "Count the tokens of text, like wc",
			long: `Count the tokens of files, or of standard input, as plain text. Without a flag
the encoding is o200k, that of OpenAI's newer models. Models without a public
tokenizer (Claude, Gemini) get an estimate, marked ~. Bytes that are no UTF-8
count as the replacement character. Files of any size are read in pieces.

With --jsonl every line is an object with a "text" and is answered by a line
with its "tokens"; a line that is none is answered by null and named on stderr.

  lens tokens prompt.md notes/*.md
  git diff | lens tokens --model claude-sonnet-4-5
  jq -c '{text: .content}' log.jsonl | lens tokens --jsonl`,
			flags: map[string]string{
				"encoding": "count with: " + strings.Join(tokens.Names(), ", ") + " (default o200k)",
				"model":    "count as this model does, where its tokenizer is public; else estimate",
				"json":     "print lens.tokens/1",
				"jsonl":    `read {"text"} lines, print {"tokens"} lines`,
			},
		},
		"tune": {
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

A record shows one course of events: with another view the agent would have gone
on in another way. Take the result as what is worth trying.

  lens tune ~/traces --budget 50k --max-loss 5%
  lens compare ~/traces 'a chain it names'         # what providers refuse`,
			flags: map[string]string{
				"budget":   "tokens no prompt may exceed, such as 50k",
				"max-loss": "highest share of what was needed that may be lost, such as 5%",
				"thread":   "thread, by id or unique prefix",
				"json":     "print lens.tune/2",
			},
		},
	}
}
