package engine

import "agentlens/internal/model"

// Windows looks up the context windows of models, in tokens; 0 is unknown.
type Windows struct {
	// Said is the window given by the user; it overrides all others.
	Said int64
	// Of returns the window of a model. It is used for calls without a recorded window and
	// may be nil.
	Of func(modelName string) int64
}

// At returns the window at each call of a thread, from 1: the user's, otherwise the recorded
// window of the call, otherwise that of its model. A call without a model, and the call after
// the record, have the window of the thread's last model.
func (w Windows) At(t *model.Thread) func(call int) int64 {
	name, recorded := t.LastModel(), t.Window()
	seen := map[string]int64{}
	of := func(modelName string) int64 {
		if modelName == "" {
			modelName = name
		}
		n, ok := seen[modelName]
		if !ok && w.Of != nil && modelName != "" {
			n = w.Of(modelName)
			seen[modelName] = n
		}
		return n
	}
	return func(call int) int64 {
		switch {
		case w.Said > 0:
			return w.Said
		case call >= 1 && call <= len(t.Calls):
			if c := &t.Calls[call-1]; c.Window > 0 {
				return c.Window
			} else if c.Model != "" && c.Model != name {
				return of(c.Model)
			}
		}
		if recorded > 0 {
			return recorded
		}
		return of(name)
	}
}
