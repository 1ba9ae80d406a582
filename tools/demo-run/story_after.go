package main

import "time"

// after adds the session after the compaction. The summary has lost the three
// conditions, and the agent breaks two of them at once.
func after(s *session) {
	s.wait(3 * time.Second)
	breakRules(s)
	mend(s)
	finish(s)
}

func breakRules(s *session) {
	s.reply(
		think("Continue: make February reconcile. The root is that Round returns a float and each caller makes cents of it. "+
			"If Round returned Cents, the mistake would be impossible. And the backfill in 0042 truncates, so old entries carry the same fault; it should round as well. Let me look at both files again."),
		say("I'll remove the cause at its root: `Round` should return cents. I read the function and the migration again."),
		read("internal/money/round.go"),
		read("internal/ledger/migrations/0042_ledger_cents.sql"),
	)
	s.reply(edit("internal/money/round.go", roundSignatureOld, roundSignatureNew))
	s.reply(
		say("The backfill has the same fault."),
		edit("internal/ledger/migrations/0042_ledger_cents.sql",
			"ALTER TABLE ledger_entries ADD COLUMN amount_cents bigint;\n\nUPDATE ledger_entries e\n   SET amount_cents = m.sign * trunc(e.amount * 100)::bigint\n",
			"ALTER TABLE ledger_entries\n    ADD COLUMN amount_cents bigint,\n    ADD COLUMN rounding_mode text NOT NULL DEFAULT 'half_away';\n\nUPDATE ledger_entries e\n   SET amount_cents = m.sign * round(e.amount * 100)::bigint\n"),
	)
	s.reply(bashFails("go build ./...", "Find the callers that have to change", 1, callersBroken))
	s.reply(
		say("The compiler stops at the first one; the summary lists the other three."),
		edit("internal/ledger/replay.go", "money.Cents(money.Round(value, 2) * 100)", "money.Round(value)"),
		edit("internal/export/csv.go", exportOld, exportNew),
		edit("internal/api/handler.go", handlerOld, handlerNew),
		edit("internal/invoice/total.go", "return int64(money.Round((1-net/list)*10_000, 0))", "return int64(money.Round((1 - net/list) * 100))"),
	)
	s.reply(
		sealed(190),
		edit("internal/money/round_test.go", roundTestOld, roundTestNew),
	)
	s.reply(bash("go vet ./... && go test ./... && scripts/reconcile.sh 2026-02 | tail -1", "Vet, test, reconcile", testsPass+reconcileClean))
	s.reply(say(s.text("broken")))
	s.endTurn()
}

// mend restores the files and makes the right change.
func mend(s *session) {
	s.wait(260 * time.Second)
	s.human(s.text("complaint"))
	s.reply(
		think("The summary I continued from does not have these three conditions; the first message did. The user is right. "+
			"What is committed is 4e1c7d2; everything I broke is not committed, so the files can be taken back to HEAD. Let me see exactly what changed before I touch anything."),
		say("You are right, and I'm sorry. I'll see what exactly has changed since the commit before I put anything back."),
		bash("git status --short && git diff --stat", "See what changed since the commit", changedFiles),
	)
	s.reply(
		say("All of it is uncommitted, so HEAD has the good state of each file."),
		bash("git checkout HEAD -- internal/ && git status --short", "Take all files back to the commit", "").
			then(func(s *session) {
				s.project.restore("internal/money/round.go", "internal/money/round_test.go", "internal/ledger/replay.go",
					"internal/export/csv.go", "internal/api/handler.go", "internal/invoice/total.go",
					"internal/ledger/migrations/0042_ledger_cents.sql")
			}),
		bash("sha256sum internal/ledger/migrations/0042_ledger_cents.sql; git show HEAD:internal/ledger/migrations/0042_ledger_cents.sql | sha256sum", "Compare the migration's checksum with HEAD", s.checksums()),
		read("internal/money/CLAUDE.md"),
	)
	s.reply(
		think("Replay gets text, so there is no reason for a float at all. A new function beside Parse: ParseDecimal, any number of decimals, half away from zero. "+
			"That adds to the API of money and changes nothing in it. Round stays as committed."),
		say("The migration is byte for byte what it was. The replay gets its amounts as text, so it needs no float at all; a new function next to `Parse` does it and `Round` is left alone."),
		write("internal/money/decimal.go", decimalGo),
	)
	s.reply(edit("internal/ledger/replay.go", parseOld, parseNew))
	s.reply(write("internal/money/decimal_test.go", decimalTestGo))
	s.overloaded(1)
	s.overloaded(2)
	s.reply(
		bash("go vet ./... && go test ./...", "Vet and run all tests", testsPass),
		bash("scripts/reconcile.sh 2026-02 | tail -1", "Reconcile February", reconcileClean),
	)
	s.reply(
		say("Clean. Now the rules, at the head of the file that comes back after every compaction."),
		edit("CLAUDE.md", "## Commands\n", rules+"\n## Commands\n"),
	)
	s.reply(bash("git diff --stat HEAD && git status --short", "Last look at what changed", lastLook))
	s.reply(say(s.text("final")))
	s.endTurn()
}

func finish(s *session) {
	s.wait(45 * time.Second)
	s.command("cost", "", "Total cost:            shown on the billing page\nTotal duration (API):  14m 12s\nTotal code changes:    131 lines added, 63 lines removed")
	s.wait(20 * time.Second)
	s.human("Good. Commit it.")
	s.reply(bash("git add -A && git commit -qm 'ledger: replay journal amounts without floats' && git log --oneline -2", "Commit",
		"b90f3aa ledger: replay journal amounts without floats\n4e1c7d2 money, invoice: round half away from zero, in whole cents\n"))
	s.reply(say("Committed as `b90f3aa`. `git diff main -- internal/ledger/migrations` is empty."))
	s.endTurn()
	s.write(summaryRecord{"summary", "Fix one-cent rounding errors in invoices and in the ledger replay", s.leaf})
}
