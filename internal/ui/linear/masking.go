package linear

import "agentlens/internal/ui/screens/masking"

// mask masks a value by hand, or ends that.
func (m *mode) mask(value string) {
	if m.Config.MaskValue == nil {
		m.say(cannotMask)
		return
	}
	marked, err := m.Config.MaskValue(value)
	if err != nil {
		m.fail(notMasked, err)
		return
	}
	m.say("%s", masking.Marked(marked))
}
