package copilotcli

import "agentlens/internal/model"

// totals sums the usage of each model from the shutdown records.
type totals struct {
	order  []string
	last   map[string]metric
	before map[string]model.Usage // usage before the last counter restart
}

// add adds one metric of a shutdown record. Counters usually continue after a
// resume. If a count is smaller than before, the counter restarted, so add keeps
// the previous total.
func (t *totals) add(m metric) {
	if t.last == nil {
		t.last, t.before = map[string]metric{}, map[string]model.Usage{}
	}
	old, known := t.last[m.model]
	if !known {
		t.order = append(t.order, m.model)
	} else if m.input < old.input || m.output < old.output || m.read < old.read {
		sum := t.before[m.model]
		sum.Add(old.usage())
		t.before[m.model] = sum
	}
	t.last[m.model] = m
}

// usage returns the sum over all models.
func (t *totals) usage() model.Usage {
	var sum model.Usage
	for _, name := range t.order {
		sum.Add(t.before[name])
		sum.Add(t.last[name].usage())
	}
	return sum
}

// usage converts the counts to the normal form. The recorded input includes cache
// reads and writes.
func (m metric) usage() model.Usage {
	var u model.Usage
	if m.hasInput {
		input := m.input
		if input >= m.read+m.write {
			input -= m.read + m.write
		}
		u.Set(model.UsageInput, input)
	}
	if m.hasOutput {
		u.Set(model.UsageOutput, m.output)
	}
	if m.hasRead {
		u.Set(model.UsageCacheRead, m.read)
	}
	if m.hasWrite {
		u.Set(model.UsageCacheWrite, m.write)
	}
	if m.hasThought && m.reasoning <= m.output {
		u.Set(model.UsageReasoning, m.reasoning)
	}
	return u
}
