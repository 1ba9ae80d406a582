package reference

// The messages of this package are listed here for review.
const (
	oneChain      = "lens strategies takes one name or chain: quote a chain that contains spaces"
	fromOrTo      = "--from cannot be combined with --to"
	toNeedsChain  = "--to %s needs the chain to write: lens strategies --to %s 'clear_tool_uses'"
	settingTurns  = "lens: turns of the setting: --turns '%s' (applied with --strategy-file)\n"
	lostSetting   = "lens: lost: %s\n"
	oneSchema     = "lens schema takes one name: without a name it lists all schemas"
	unknownSchema = "unknown schema %q: lens schema lists the names"
)
