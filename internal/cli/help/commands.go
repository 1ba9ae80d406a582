package help

import (
	"maps"
	"strings"

	"agentlens/internal/curate/audit"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/settings"
	"agentlens/internal/export/request"
)

// texts returns the help of every command.
func texts() map[string]text {
	all := hookTexts()
	for _, more := range []map[string]text{lookTexts(), explainTexts(), shareTexts(), toolTexts()} {
		maps.Copy(all, more)
	}
	return all
}

// explainTexts returns the help of the commands that explain, check and try.
func explainTexts() map[string]text {
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
at some call, or a cost is a lower bound, ≥ (0 with --allow-not-recorded), and
otherwise 0.

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
that together. It ends with 4 if that is open, because a call has no price or a cost
is a lower bound (with 0 if --allow-not-recorded is given).

  lens compare --base main-traces --head pr-traces --max-cost-increase 5%
  lens compare session.jsonl 'sliding_window(20)' 'truncate_tool_results(1000)'
  lens compare ~/traces @claude-code @anthropic-context-editing
  lens compare session.jsonl 'sliding_window(20)' --evidence
  lens compare session.jsonl 'exec("python3 mine.py")'`,
			flags: map[string]string{
				"strategy":           "another chain; can be repeated",
				"thread":             "thread, by id or unique prefix",
				"all-threads":        "add up every thread, including sub-agents",
				"all-calls":          "no effect: every call is checked",
				"base":               "compare the runs of this folder with their counterparts in --head",
				"head":               "the folder to compare with --base",
				"allow-not-recorded": "exit with 0 if --max-cost-increase cannot be judged",
				"max-cost-increase":  "fail if the pairs of --base and --head cost more by this share, such as 5%",
				"evidence":           "list what each chain lost: the reply, the message, and their common words",
				"json":               "print lens.compare/2, or lens.pairs/1 with --base",
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
