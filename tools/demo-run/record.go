package main

// The records of a session file, with their fields in the order in which the
// client writes them.

// envelope holds the first fields of every record of a chain.
type envelope struct {
	ParentUUID  *string `json:"parentUuid"`
	LogicalUUID string  `json:"logicalParentUuid,omitempty"`
	IsSidechain bool    `json:"isSidechain"`
	UserType    string  `json:"userType"`
	Cwd         string  `json:"cwd"`
	SessionID   string  `json:"sessionId"`
	Version     string  `json:"version"`
	GitBranch   string  `json:"gitBranch"`
	AgentID     string  `json:"agentId,omitempty"`
	Slug        string  `json:"slug,omitempty"`
	Type        string  `json:"type"`
}

// stamp holds the last fields of every record of a chain.
type stamp struct {
	UUID      string `json:"uuid"`
	Timestamp string `json:"timestamp"`
}

type userRecord struct {
	envelope
	Message         userMessage `json:"message"`
	IsMeta          bool        `json:"isMeta,omitempty"`
	TranscriptOnly  bool        `json:"isVisibleInTranscriptOnly,omitempty"`
	IsSummary       bool        `json:"isCompactSummary,omitempty"`
	ThinkingMeta    any         `json:"thinkingMetadata,omitempty"`
	Todos           any         `json:"todos,omitempty"`
	PermissionMode  string      `json:"permissionMode,omitempty"`
	ToolUseResult   any         `json:"toolUseResult,omitempty"`
	SourceAssistant string      `json:"sourceToolAssistantUUID,omitempty"`
	stamp
}

type userMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a string or blocks
}

type toolResult struct {
	ToolUseID string `json:"tool_use_id"`
	Type      string `json:"type"`
	Content   any    `json:"content"`
	IsError   *bool  `json:"is_error,omitempty"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type thinkingBlock struct {
	Type      string `json:"type"`
	Thinking  string `json:"thinking"`
	Signature string `json:"signature"`
}

type toolUse struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input any    `json:"input"`
}

type assistantRecord struct {
	envelope
	Message   assistantMessage `json:"message"`
	RequestID string           `json:"requestId"`
	stamp
}

type assistantMessage struct {
	Model        string  `json:"model"`
	ID           string  `json:"id"`
	Type         string  `json:"type"`
	Role         string  `json:"role"`
	Content      []any   `json:"content"`
	StopReason   *string `json:"stop_reason"`
	StopSequence *string `json:"stop_sequence"`
	Usage        usage   `json:"usage"`
}

type usage struct {
	Input         int `json:"input_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
	Creation      struct {
		FiveMinutes int `json:"ephemeral_5m_input_tokens"`
		OneHour     int `json:"ephemeral_1h_input_tokens"`
	} `json:"cache_creation"`
	Output      int    `json:"output_tokens"`
	ServiceTier string `json:"service_tier"`
}

type systemRecord struct {
	envelope
	Subtype    string         `json:"subtype"`
	Content    string         `json:"content,omitempty"`
	DurationMs int            `json:"durationMs,omitempty"`
	IsMeta     bool           `json:"isMeta"`
	Level      string         `json:"level,omitempty"`
	Error      map[string]any `json:"error,omitempty"`
	RetryInMs  float64        `json:"retryInMs,omitempty"`
	Attempt    int            `json:"retryAttempt,omitempty"`
	MaxRetries int            `json:"maxRetries,omitempty"`
	stamp
	Compact *compactMetadata      `json:"compactMetadata,omitempty"`
	Micro   *microcompactMetadata `json:"microcompactMetadata,omitempty"`
}

type compactMetadata struct {
	Trigger    string `json:"trigger"`
	PreTokens  int    `json:"preTokens"`
	PostTokens int    `json:"postTokens"`
	DurationMs int    `json:"durationMs"`
}

type microcompactMetadata struct {
	Trigger            string   `json:"trigger"`
	PreTokens          int      `json:"preTokens"`
	TokensSaved        int      `json:"tokensSaved"`
	CompactedToolIDs   []string `json:"compactedToolIds"`
	ClearedAttachments []string `json:"clearedAttachmentUUIDs"`
}

type attachmentRecord struct {
	envelope
	Attachment any `json:"attachment"`
	stamp
}

type nestedMemory struct {
	Type        string `json:"type"`
	Path        string `json:"path"`
	DisplayPath string `json:"displayPath"`
	Content     struct {
		Type    string `json:"type"`
		Path    string `json:"path"`
		Content string `json:"content"`
		Differs bool   `json:"contentDiffersFromDisk"`
	} `json:"content"`
}

// The records below belong to no chain.

type permissionMode struct {
	Type      string `json:"type"`
	Mode      string `json:"permissionMode"`
	SessionID string `json:"sessionId"`
}

type fileSnapshot struct {
	Type      string `json:"type"`
	MessageID string `json:"messageId"`
	Snapshot  struct {
		MessageID string         `json:"messageId"`
		Backups   map[string]any `json:"trackedFileBackups"`
		Timestamp string         `json:"timestamp"`
	} `json:"snapshot"`
	IsUpdate bool `json:"isSnapshotUpdate"`
}

type queueOperation struct {
	Type      string `json:"type"`
	Operation string `json:"operation"`
	Timestamp string `json:"timestamp"`
	SessionID string `json:"sessionId"`
	Content   string `json:"content,omitempty"`
}

type aiTitle struct {
	Type      string `json:"type"`
	SessionID string `json:"sessionId"`
	Title     string `json:"aiTitle"`
}

type summaryRecord struct {
	Type    string `json:"type"`
	Summary string `json:"summary"`
	Leaf    string `json:"leafUuid"`
}
