package curate

import (
	"fmt"

	"agentlens/internal/model"
)

// A window keeps the newest part of a view that fits a limit: so many messages,
// turns or tokens. Five strategies are windows with different measures.
type window struct {
	measure measure
	max     int64
	align   align
	// newest: the newest unit stays even alone over the limit.
	newest bool
	// pinFirst: the first unit stays too, uncounted.
	pinFirst bool
	// lead: the units of so many first messages stay too.
	lead int64
	// pinLast: the newest message stays with its group, wherever that begins.
	pinLast bool
	// headCounts: leading system messages count towards the limit.
	headCounts bool
	// keepHead: leading system messages stay.
	keepHead bool
	// partial: of the text that does not fit, the last lines that do stay.
	partial bool
	// share: of all units, the oldest that do not fit, whatever max says.
	share float64

	weight   []int32 // per key, what it adds to the sum
	own      []int32 // per key, what its own message adds
	weighted *Set    // keys with a weight
	users    *Set    // live user messages
	members  []int32 // per key, the live messages of the unit it heads
	counted  *Set    // messages counted in members
	units    *Set    // heads with live messages; the head itself may be gone
	start    Key     // first key that fits
	sum      int64   // of the weights from start on
	total    int64   // of all weights
	from     Key     // first key that is kept, after alignment
	head     Key     // first key after the leading system messages
	first    Key     // first unit, when pinFirst
	leadEnd  Key     // first key after the leading messages, when lead > 0
	part     Key     // the text that is cut, when partial, or -1
	partItem Item    // what stays of it
	made     map[partID]Item
	extra    *Set // heads of units that stay too
	last     Key  // head of the newest message's group, when pinLast
}

type measure uint8

const (
	byMessage measure = iota // every message counts one
	byUser                   // user messages count one
	byUnit                   // a group, or a message outside any, counts one
	byTokens                 // tokens, group by group
)

type align uint8

const (
	alignDrop align = iota // a result whose call fell out goes too
	alignBack              // a call whose result stays comes back, with its group
	alignUser              // forward to the next user message
)

// Reasons of a window.
const (
	whyOlder = 1 + iota
	whyPair
	whyFirst
)

func (w *window) Step(f *Facts, in, out *Layer) {
	if w.weighted == nil {
		w.begin(in)
	}
	was := w.head
	w.head = w.headOf(in)
	head := w.head
	for _, k := range in.delta {
		w.weigh(in, k)
	}
	w.eachLive(in, min(was, head), max(was, head), func(k Key) { w.weigh(in, k) })
	w.slide(w.room(in))
	cut := w.part
	w.findPart(f, in)
	from := w.aligned(in)
	before := w.from
	w.from = from
	w.decideParts(in, out, cut)
	w.repin(in, out)
	w.repinLast(in, out)
	w.moveLead(in, out)
	for _, k := range in.delta {
		w.decide(in, out, k)
	}
	w.eachLive(in, min(was, head), max(was, head), func(k Key) { w.decide(in, out, k) })
	w.decideBetween(in, out, before, from)
}

// headOf is the first key after what stays at the head.
func (w *window) headOf(in *Layer) Key {
	if w.keepHead {
		return in.Head()
	}
	return 0
}

// dropHead lets leading system messages go as any other.
func (w *window) dropHead() { w.keepHead = false }

func (w *window) begin(in *Layer) {
	n := len(in.items)
	w.weight, w.own, w.members = make([]int32, n), make([]int32, n), make([]int32, n)
	w.weighted, w.users, w.units, w.counted = NewSet(n), NewSet(n), NewSet(n), NewSet(n)
	w.first, w.last, w.part = -1, -1, -1
}

// decideBetween decides anew about the units that begin between two keys.
func (w *window) decideBetween(in, out *Layer, a, b Key) {
	from, to := min(a, b), max(a, b)
	w.eachLive(in, from, to, func(k Key) { w.decide(in, out, k) })
	for k := w.units.Next(from); k >= 0 && k < to; k = w.units.Next(k + 1) {
		w.decide(in, out, k)
	}
}

// eachLive calls do for the live keys in [from, to).
func (w *window) eachLive(l *Layer, from, to Key, do func(Key)) {
	if from >= to {
		return
	}
	for k := l.live.Next(from); k >= 0 && k < to; k = l.Next(k) {
		do(k)
	}
}

// room is the limit that is left for what is no system head.
func (w *window) room(in *Layer) int64 {
	switch {
	case w.share > 0:
		return w.total - int64(oldest(int(w.total), w.share))
	case !w.headCounts:
		return w.max
	}
	left := w.max
	w.eachLive(in, 0, w.head, func(k Key) { left -= int64(in.items[k].Tokens) })
	return left
}

// weigh brings the weight of k up to date.
func (w *window) weigh(in *Layer, k Key) {
	it := in.items[k]
	w.countUnit(in, k, it.Live)
	n := int32(0)
	isUser := false
	if it.Live && k >= w.head {
		isUser = in.Role(k) == model.User
		switch w.measure {
		case byMessage:
			n = 1
		case byUser:
			n = b2i(isUser)
		case byUnit:
			n = b2i(unitHead(in, k) == k)
		case byTokens:
			n = it.Tokens
		}
	}
	if isUser {
		w.users.Add(k)
	} else {
		w.users.Remove(k)
	}
	if n == w.own[k] {
		return
	}
	at := k
	if w.measure == byTokens {
		at = unitHead(in, k)
	}
	diff := n - w.own[k]
	w.own[k] = n
	w.weight[at] += diff
	w.total += int64(diff)
	if at >= w.start {
		w.sum += int64(diff)
	}
	if w.weight[at] != 0 {
		w.weighted.Add(at)
	} else {
		w.weighted.Remove(at)
	}
}

// countUnit keeps count of the live messages of each unit.
func (w *window) countUnit(in *Layer, k Key, live bool) {
	if live == w.counted.Has(k) {
		return
	}
	head := unitHead(in, k)
	if live {
		w.counted.Add(k)
		w.members[head]++
		w.units.Add(head)
		return
	}
	w.counted.Remove(k)
	if w.members[head]--; w.members[head] == 0 {
		w.units.Remove(head)
	}
}

// slide moves start so that the sum fits the room, and no further.
func (w *window) slide(room int64) {
	for w.sum > room {
		k := w.weighted.Next(w.start)
		if k < 0 || w.newest && w.weighted.Next(k+1) < 0 {
			break
		}
		w.sum -= int64(w.weight[k])
		w.start = k + 1
	}
	for w.start > 0 {
		k := w.weighted.Prev(w.start - 1)
		if k < 0 {
			w.start = 0
			break
		}
		forced := w.newest && w.weighted.Next(w.start) < 0
		if w.sum+int64(w.weight[k]) > room && !forced {
			w.start = k + 1 // whatever was between when it slid
			break
		}
		w.sum += int64(w.weight[k])
		w.start = k
	}
}

// aligned is the first key that is kept: everything live before it goes.
func (w *window) aligned(in *Layer) Key {
	if w.align == alignUser && w.start > 0 && w.part < 0 {
		if k := w.users.Next(w.start); k >= 0 {
			return max(w.start, in.Prev(k)+1)
		}
	}
	return w.start
}

// repin keeps track of the first unit.
func (w *window) repin(in, out *Layer) {
	if !w.pinFirst {
		return
	}
	first := in.live.Next(w.head)
	if first == w.first {
		return
	}
	old := w.first
	w.first = first
	for _, k := range []Key{old, first} {
		if k >= 0 {
			w.decideGroup(in, out, k)
		}
	}
}

// decideGroup decides on k and all of the group it belongs to: its first message
// may be a result that stands before its call.
func (w *window) decideGroup(in, out *Layer, k Key) {
	w.decideOne(in, out, k)
	if !in.IsMessage(k) {
		return
	}
	for _, i := range in.Thread.Members(in.Place(k)) {
		w.decideOne(in, out, in.KeyOf(int(i)))
	}
}

// decide lets k through or drops it, and with the head of a group the group.
func (w *window) decide(in, out *Layer, k Key) {
	w.decideOne(in, out, k)
	if !in.IsMessage(k) {
		return
	}
	members := in.Thread.Members(in.Place(k))
	if len(members) > 1 && (w.align == alignBack || in.KeyOf(int(members[0])) == k) {
		for _, i := range members {
			if m := in.KeyOf(int(i)); m != k {
				w.decideOne(in, out, m)
			}
		}
	}
}

func (w *window) decideOne(in, out *Layer, k Key) {
	it := in.items[k]
	switch head := unitHead(in, k); {
	case !it.Live:
		out.Drop(k, whyGone)
	case k < w.head, head >= w.from, w.align == alignBack && unitTail(in, k) >= w.from:
		out.Put(k, it, 0)
	case w.extra != nil && w.extra.Has(head):
		out.Put(k, it, 0)
	case k == w.part:
		out.Put(k, w.partItem, 0)
	case head < w.leadEnd:
		out.Put(k, it, 0)
	case w.pinFirst && w.first >= 0 && head == unitHead(in, w.first):
		out.Put(k, it, whyFirst)
	case w.pinLast && head == w.last:
		out.Put(k, it, 0)
	case k >= w.from:
		out.Drop(k, whyPair)
	default:
		out.Drop(k, whyOlder)
	}
}

// unitHead is the key of the first message of the group k belongs to, or k.
func unitHead(l *Layer, k Key) Key {
	if l.IsMessage(k) {
		if members := l.Thread.Members(l.Place(k)); len(members) > 0 {
			return l.KeyOf(int(members[0]))
		}
	}
	return k
}

// unitTail is the key of the last message of the group of k that is live, or k.
func unitTail(l *Layer, k Key) Key {
	if l.IsMessage(k) {
		members := l.Thread.Members(l.Place(k))
		for i := len(members) - 1; i >= 0; i-- {
			if m := l.KeyOf(int(members[i])); l.Live(m) {
				return m
			}
		}
	}
	return k
}

func b2i(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

var slidingWindowSpec = Spec{
	Name:    "sliding_window",
	Summary: "The system message and the last n messages.",
	Whose:   "history manager specification; Strands (align=back)",
	Params: []Param{
		{Name: "n", Unit: Msgs, Default: "40", Help: "messages kept, the system message not counted; 0 keeps the system message alone"},
		{Name: "align", Kind: KindWord, Default: "drop", Words: []string{"drop", "back", "user"}, Help: "where the window cuts a group: drop its results, take the group back in, or start at the next user message"},
	},
	build: func(a args) (Built, error) {
		w := &window{measure: byMessage, max: a.number("n"), keepHead: true}
		switch a.word("align") {
		case "back":
			w.align = alignBack
		case "user":
			w.align = alignUser
		}
		b := w.built(fmt.Sprintf("older than the last %s messages", group(int(w.max))))
		if w.align == alignUser {
			b.problem = notOnUser("align=user")
		}
		return b, nil
	},
}

var lastTurnsSpec = Spec{
	Name:    "last_turns",
	Summary: "From the n-th user message from the end; all of it when there are fewer.",
	Whose:   "conversation-history specification",
	Params:  []Param{{Name: "n", Unit: Turns, Default: "10", Help: "turns kept, counted by user messages"}},
	build: func(a args) (Built, error) {
		w := &window{measure: byUser, max: a.number("n"), keepHead: true, align: alignUser}
		b := w.built(fmt.Sprintf("older than the last %s turns", group(int(w.max))))
		b.problem = noUserMessage
		return b, nil
	},
}

var truncateTurnsSpec = Spec{
	Name:    "truncate_turns",
	Summary: "The last max turns of speech; a group of calls and results is one.",
	Whose:   "flujo",
	Params: []Param{
		{Name: "max", Unit: Texts, Default: "20", Help: "texts kept; less than one counts as one"},
		{Name: "pin_first", Kind: KindBool, Default: "false", Help: "keep the first text too, uncounted"},
	},
	build: func(a args) (Built, error) {
		w := &window{measure: byUnit, max: max(1, a.number("max")), keepHead: true, pinFirst: a.boolean("pin_first")}
		return w.built(fmt.Sprintf("older than the last %s texts", group(int(w.max)))), nil
	},
}

var truncateTokensSpec = Spec{
	Name:    "truncate_tokens",
	Summary: "The newest texts that fit max tokens; the newest stays even alone over it.",
	Whose:   "flujo",
	Params: []Param{
		{Name: "max", Unit: Tok, Units: []Unit{Percent}, Default: "4096", Help: "tokens kept, the system message not counted; % is of the window"},
		tokensParam,
		{Name: "pin_first", Kind: KindBool, Default: "false", Help: "keep the first text too, uncounted"},
	},
	build: func(a args) (Built, error) {
		limit, err := a.tokens("max")
		w := &window{measure: byTokens, max: max(1, limit), newest: true, keepHead: true, pinFirst: a.boolean("pin_first")}
		return w.built(fmt.Sprintf("would exceed %s tokens", group(int(w.max)))), err
	},
}

func (w *window) built(older string) Built {
	return Built{Stage: w, reasons: []string{"", older, "its call is not kept", "kept: the first text is pinned"}}
}
