package engine

import "agentlens/internal/model"

// Windows knows the context windows of models, in tokens; 0 is "not known".
type Windows struct {
	// Said is what a person said it is: it wins over all.
	Said int64
	// Of is that of a model, for calls of which the record tells none; nil knows none.
	Of func(modelName string) int64
}

// At is the window at each call of a thread, from 1 on: what was said, else what the
// record tells of the call, else that of its model. A call that names no model, and the
// one after the record, has that of the thread's last.
func (w Windows) At(t *model.Thread) func(call int) int64 {
	name, told := t.LastModel(), t.Window()
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
		if told > 0 {
			return told
		}
		return of(name)
	}
}
