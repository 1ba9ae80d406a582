package curate

import "fmt"

var headTailSpec = Spec{
	Name:    "head_tail",
	Summary: "The system message, the first head messages with their groups, and the last tail messages.",
	Whose:   "AutoGen HeadAndTail, OpenHands",
	Params: []Param{
		{Name: "head", Unit: Msgs, Default: "1", Help: "first messages kept, the system message not counted"},
		{Name: "tail", Unit: Msgs, Default: "20", Help: "newest messages kept; results whose call fell out are dropped"},
	},
	build: func(a args) (builtStage, error) {
		w := &window{measure: byMessage, max: a.number("tail"), keepHead: true, lead: a.number("head")}
		return w.built(fmt.Sprintf("between the first %s and the last %s messages", group(int(w.lead)), group(int(w.max)))), nil
	},
}

// moveLead brings leadEnd up to date: the key after the first messages.
func (w *window) moveLead(in, out *layer) {
	if w.lead == 0 {
		return
	}
	end := w.head
	for n := int64(0); n < w.lead; n++ {
		k := in.live.next(end)
		if k < 0 {
			end = int32(len(in.items))
			break
		}
		end = k + 1
	}
	before := w.leadEnd
	w.leadEnd = end
	w.decideBetween(in, out, before, end)
}
