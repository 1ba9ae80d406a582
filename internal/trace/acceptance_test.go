package trace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A trap is something viewers of such files commonly lose or count twice, with
// the tests that fail without the care it asks for: "folder.TestName", or
// "TestName" of this folder.
type trap struct {
	what, tests string
}

// lost is what viewers commonly lose.
func lost() []trap {
	return []trap{
		{"where the context was compacted, why, tokens before and after, the summary, what was kept", `TestCompactionTellsWhatItDid
			claudecode.TestCompactedEdits codex.TestViewAfterCompaction codex.TestSummaryOnly pi.TestViewAfterCompaction
			opencode.TestViews goose.TestViews crush.TestViews openhands.TestCondensation pydanticai.TestCompaction copilotcli.TestAgents`},
		{"results pruned for the provider and whole in the file; context edits of the server", `claudecode.TestCompactedEdits claudecode.TestServerEdits
			opencode.TestViews anthropic.TestClearedResult sweagent.TestQueryIsTheView langgraph.TestReplaced`},
		{"which branch was live: rewinds, forks, rollbacks, reverts, prompts that were taken back", `claudecode.TestCompacted
			claudecode.TestSamples codex.TestCompacted codex.TestFork geminicli.TestRewind opencode.TestRevert pi.TestTree openaiagents.TestBranches`},
		{"sub-agents in files, sessions and records of their own, and what they used", `claudecode.TestCompacted claudecode.TestSamples
			TestWhatTheClientMadeIsNoCall opencode.TestSamples copilotcli.TestAgents codex.TestFork spans.TestThreadsUnderAgents claudecode.TestAgentsOfAgents
			claudecode.TestAgentFileAlone`},
		{"reasoning that is sealed: neither nothing nor text", `TestSealedThinkingIsNoText messages.TestThinkingOfTheResponseSurvives`},
		{"images and files in prompts and inside results; results that stand in files of their own", `TestImagesAreParts claudecode.TestDocumentsBeside`},
		{"tokens: cached inside or beside the input, cache writes, reasoning inside the output, compactions, duplicates, totals", `
			TestRepliesOfManyRecordsCountOnce TestTokenCountsAreTotals TestMirrorsAreNotCounted chat.TestUsage gemini.TestUsage
			anthropic.TestCompactionTokensCount anthropic.TestCacheLifetimes anthropic.TestStreamUsageIsNotAdded opencode.TestUsage spans.TestUsage otel.TestUsage
			langfuse.TestUsage langsmith.TestUsage inspect.TestUsage bedrock.TestUsage atif.TestFinalMetrics copilotcli.TestTotals goose.TestUsage pydanticai.TestUsage`},
		{"one reply over many records, many calls in one record", `TestRepliesArePutTogether geminicli.TestDocument openhands.TestFolder
			vercel.TestToolStates chat.TestAssemble wink.TestReleases`},
		{"injected text shown as a person's; what was sent in place of what was typed", `TestInjectedTextIsMarked claudecode.TestInjected
			copilotcli.TestSent cursor.TestTranscript`},
		{"failures: exit statuses, success false, errors in results, calls without any result", `TestFailuresShow codex.TestFirstEra
			codex.TestFailuresByEvents codexexec.TestItemsToldTwice bedrock.TestResults pi.TestFailedReply sweagent.TestStatus`},
		{"system prompts; models and effort that change in the middle", `TestSystemPromptOnce TestModelChangesShow claudecode.TestModelChanges
			codex.TestEffortChanges pi.TestChoices pydanticai.TestInstructions`},
		{"tools the provider ran, tools of servers, retries, errors of the interface, refusals", `TestProviderToolsDoNotPend codex.TestNamespaces TestWhatTheClientMadeIsNoCall
			vercel.TestToolStates bodies.TestReplyGivenUp claudecode.TestModelChanges`},
		{"unknown records, torn last lines, lines longer than a buffer", `TestCut TestTornDocuments TestPadding TestDamage TestOpaqueShare claudecode.TestHugeLine
			bodies.TestLongFirstLine messages.TestLongFirstLine history.TestRecordsAddUp ledger.TestRowsAddUp draft.TestRecordsAddUp`},
	}
}

// twice is what is easily counted twice, or not at all.
func twice() []trap {
	return []trap{
		{"Claude Code: usage on each block; a ladder of parallel calls is no branch; a parent that is not in the file; records twice", `
			TestRepliesOfManyRecordsCountOnce claudecode.TestCompacted claudecode.TestSamples`},
		{"Claude Code: replies the client made, progress of sub-agents, errors of the interface", `TestWhatTheClientMadeIsNoCall`},
		{"Codex: events mirror items; totals are written twice; no info is no call", `TestTokenCountsAreTotals codex.TestCompacted`},
		{"Codex: one compaction has two records; copied records are not of this run", `codex.TestMarkersOfOneCompaction codex.TestFork`},
		{"Claude Code: edits of the server on each record of a reply; a refusal told by a record and by the replies", `claudecode.TestServerEdits claudecode.TestModelChanges`},
		{"Codex exec: an item is told up to three times; the usage of turns is a total", `codexexec.TestItemsToldTwice`},
		{"Bedrock: requests repeat the history; cached tokens are inside or beside the input", `bedrock.TestResults bedrock.TestUsage`},
		{"OpenCode: tokens on the message and on its steps; a database and the older files of one session", `opencode.TestUsage opencode.TestExport opencode.TestSamples`},
		{"Gemini CLI: a later record replaces an earlier one; cached tokens are inside the input", `geminicli.TestRewind geminicli.TestSamples TestMirrorsAreNotCounted`},
		{"Pi: branches that were left were paid for; replies that were broken off are calls", `pi.TestTree pi.TestFailedReply`},
		{"request and response bodies: requests repeat the history; streams repeat the usage; compactions are left out of the total", `
			TestMirrorsAreNotCounted bodies.TestGrouping anthropic.TestStreamUsageIsNotAdded anthropic.TestCompactionTokensCount
			messages.TestConversationsAreNotMixed responses.TestWhatTheProviderKept`},
		{"spans: each repeats the history; tool spans mirror results; without captured text they are the results", `TestMirrorsAreNotCounted otel.TestNoWords spans.TestThreadsUnderAgents`},
		{"Langfuse and LangSmith: a wrapper is no call; two records of one id are one", `TestMirrorsAreNotCounted langfuse.TestUsage langsmith.TestUsage langsmith.TestParent langsmith.TestWrapperByPath`},
		{"ATIF: copied context is no call; final figures may hold those of sub-agents", `TestMirrorsAreNotCounted atif.TestFinalMetrics`},
		{"Inspect: cached tokens are inside the input when the total says so", `inspect.TestUsage`},
		{"call ids used again in another thread, and several times in one", `claudecode.TestCompacted store.TestReusedCallIDs gemini.TestCallsWithoutIds chat.TestOldCallsPairByPlace`},
		{"flujo: nested steps repeat the dollars; a turn is no provider call", `flujo.TestLoop flujo.TestNestedLoops flujo.TestDebugExport flujo.TestSamples`},
		{"WINK: messages twice; a call ended outside its thread; the figures of tools inside those of prompts", `wink.TestInnerMessages wink.TestCallEndedByItsEvent wink.TestReleases wink.TestSnapshots`},
		{"LangGraph: each checkpoint repeats all messages", `langgraph.TestSample langgraph.TestChain`},
	}
}

// TestEveryTrapHasItsTest holds the tables to the tests there are.
func TestEveryTrapHasItsTest(t *testing.T) {
	there := tests(t)
	if len(lost()) < 12 {
		t.Errorf("%d entries of what is lost", len(lost()))
	}
	for _, trap := range append(lost(), twice()...) {
		names := strings.Fields(trap.tests)
		if trap.what == "" || len(names) == 0 {
			t.Errorf("%q is held by %d tests", trap.what, len(names))
		}
		for _, name := range names {
			if !strings.Contains(name, ".") {
				name = "trace." + name
			}
			if !there[name] {
				t.Errorf("%q: there is no %s", trap.what, name)
			}
		}
	}
}

// tests lists the tests of this folder and of the readers below it, as
// "folder.TestName"; those of this one are of "trace".
func tests(t *testing.T) map[string]bool {
	t.Helper()
	there := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder := filepath.Base(filepath.Dir(path))
		if folder == "." {
			folder = "trace"
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				there[folder+"."+f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return there
}
