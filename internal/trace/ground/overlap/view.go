package overlap

import "agentlens/internal/model"

// InOrder reports whether places are those of the first messages, each in its place.
func InOrder(places []int32) bool {
	for i, at := range places {
		if int(at) != i {
			return false
		}
	}
	return true
}

// NotWhole is what the note of a call adds whose recorded request does not hold
// the history as it is.
const NotWhole = ": not all that was said before, or not in the same words"

// Said is a message of a recorded request that the thread holds.
func Said(message int32) model.Sent {
	return model.Sent{Index: model.Some(message), Reason: "in the recorded request"}
}

// Unsaid is a message of a recorded request that the thread does not hold, in
// words of its own.
func Unsaid(role model.Role, body model.Ref) model.Sent {
	return model.Sent{Role: role, Body: body, Reason: "in the recorded request, and nowhere before in these words"}
}

// Recorded gives a call its recorded view: the messages of the request by their
// places in the thread. Where they are its first ones Given is their number, else
// it stays, as the number of messages that were there. unsaid gives the words of
// message i, which has no place.
func Recorded(c *model.Call, note string, places []int32, unsaid func(i int) (model.Role, model.Ref)) {
	c.Basis, c.Note = model.Recorded, note
	if InOrder(places) {
		c.Given = len(places)
		return
	}
	c.Note += NotWhole
	c.Sent = make([]model.Sent, len(places))
	for i, at := range places {
		if at >= 0 {
			c.Sent[i] = Said(at)
		} else {
			c.Sent[i] = Unsaid(unsaid(i))
		}
	}
}
