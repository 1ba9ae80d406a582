package auditing

// The texts of this package.
const (
	waitingForRun = "waiting for the whole run"
	auditWaits    = "the audit waits"
)
