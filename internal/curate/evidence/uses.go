package evidence

// A Use is an earlier message whose content a reply uses.
type Use struct {
	Call, Message int // number of the call, index of the message
	// Words are the words and phrases of the message that the reply uses, up to 8. They are not masked.
	Words []string
}

// Uses returns the messages that the reply of a call needed, see [Loss]. call is its number.
func (e *Evidence) Uses(call int) (list []Use) {
	for _, s := range e.calls[call-1].sources {
		list = append(list, Use{call, int(s.message), e.show(s.words)})
	}
	return list
}
