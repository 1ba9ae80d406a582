package curate

// Presets lists the named chains.
func Presets() []Preset {
	return []Preset{
		{"@anthropic-context-editing", "clear_tool_uses(100k, keep=3, sticky=false)", "Anthropic clear_tool_uses_20250919 with its defaults"},
		{"@claude-code", "compact(83.5%, keep=0, role=user)", "Claude Code's automatic compaction: 167k of a window of 200k, everything into one summary; files attached anew are not simulated"},
		{"@codex", "compact(90%, keep=20k tok, role=user)", "Codex's local compaction; it keeps user messages alone of the newest 20,000 tokens, this chain whole groups"},
		{"@flujo", "keep_text | truncate_tokens(4096, tokens=chars/2.5, pin_first=true)", "flujo's history manager with its defaults"},
		{"@gemini-cli", "prune_tool_outputs(50k, minimum=30k, skip_turns=1) | compact(50%, keep=30%, role=user)", "Gemini CLI's masking of tool outputs and chat compression; it splits at user messages and by characters"},
		{"@goose", "compact(80%, keep=0, role=user)", "goose's automatic compaction; the last user text it repeats after the summary is not simulated"},
		{"@langchain", "clear_tool_uses(100k, keep=3)", "LangChain's ContextEditing middleware (ClearToolUsesEdit) with its defaults"},
		{"@lifemodel", "compact_turns(10, keep=3, max_chars=50k)", "lifemodel's conversation manager with its defaults"},
		{"@opencode", "prune_tool_outputs(40k, minimum=20k, skip_turns=2, exempt=[skill])", "opencode's pruning of tool outputs with its defaults; older prunable ones behind a pruned one go too"},
		{"@openhands", "compact(80 msgs, keep=40, role=user)", "OpenHands' default condenser: above 80 events it keeps the newest half; its first 4 events go into the summary here"},
		{"@wink", "truncate_tool_results(1000) | sliding_window(50)", "the example of WINK's history manager specification"},
	}
}
