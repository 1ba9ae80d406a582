package curate

import "fmt"

var headTailSpec = Spec{
	Name:    "head_tail",
	Summary: "The system message, the first head messages with their groups, and the last tail messages.",
	Whose:   "AutoGen HeadAndTail, OpenHands",
	Params: []Param{
		{Name: "head", Unit: Msgs, Default: "1", Help: "first messages kept, the system message not counted"},
		{Name: "tail", Unit: Msgs, Default: "20", Help: "newest messages kept; results whose call fell out are dropped, but the newest group stays whole"},
	},
	build: func(a args) (Built, error) {
		w := &window{measure: byMessage, max: a.number("tail"), keepHead: true, lead: a.number("head")}
		w.pinLast = w.max > 0
		return w.built(fmt.Sprintf("between the first %s and the last %s messages", group(int(w.lead)), group(int(w.max)))), nil
	},
}

// moveLead brings leadEnd up to date: the key after the first messages.
func (w *window) moveLead(in, out *Layer) {
	if w.lead == 0 {
		return
	}
	end := w.head
	for n := int64(0); n < w.lead; n++ {
		k := in.live.Next(end)
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

// repinLast keeps track of the newest message's group: a tail of nothing but
// results whose call is older would leave a view that ends with an old message.
func (w *window) repinLast(in, out *Layer) {
	if !w.pinLast {
		return
	}
	last := in.Last()
	if last >= 0 {
		last = unitHead(in, last)
	}
	if last == w.last {
		return
	}
	old := w.last
	w.last = last
	for _, k := range []Key{old, last} {
		if k >= 0 {
			w.decide(in, out, k)
		}
	}
}
