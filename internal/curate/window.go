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
	weighted *bitset // keys with a weight
	users    *bitset // live user messages
	members  []int32 // per key, the live messages of the unit it heads
	counted  *bitset // messages counted in members
	units    *bitset // heads with live messages; the head itself may be gone
	start    key     // first key that fits
	sum      int64   // of the weights from start on
	total    int64   // of all weights
	from     key     // first key that is kept, after alignment
	head     key     // first key after the leading system messages
	first    key     // first unit, when pinFirst
	leadEnd  key     // first key after the leading messages, when lead > 0
	part     key     // the text that is cut, when partial, or -1
	partItem item    // what stays of it
	made     map[partID]item
	extra    *bitset // heads of units that stay too
	last     key     // head of the newest message's group, when pinLast
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

func (w *window) step(f *facts, in, out *layer) {
	if w.weighted == nil {
		w.begin(in)
	}
	was := w.head
	w.head = w.headOf(in)
	head := w.head
	for _, k := range in.delta {
		w.weigh(in, k)
	}
	w.eachLive(in, min(was, head), max(was, head), func(k key) { w.weigh(in, k) })
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
	w.eachLive(in, min(was, head), max(was, head), func(k key) { w.decide(in, out, k) })
	w.decideBetween(in, out, before, from)
}

// headOf is the first key after what stays at the head.
func (w *window) headOf(in *layer) key {
	if w.keepHead {
		return in.head()
	}
	return 0
}

// dropHead lets leading system messages go as any other.
func (w *window) dropHead() { w.keepHead = false }

func (w *window) begin(in *layer) {
	n := len(in.items)
	w.weight, w.own, w.members = make([]int32, n), make([]int32, n), make([]int32, n)
	w.weighted, w.users, w.units, w.counted = newBitset(n), newBitset(n), newBitset(n), newBitset(n)
	w.first, w.last, w.part = -1, -1, -1
}

// decideBetween decides anew about the units that begin between two keys.
func (w *window) decideBetween(in, out *layer, a, b key) {
	from, to := min(a, b), max(a, b)
	w.eachLive(in, from, to, func(k key) { w.decide(in, out, k) })
	for k := w.units.next(from); k >= 0 && k < to; k = w.units.next(k + 1) {
		w.decide(in, out, k)
	}
}

// eachLive calls do for the live keys in [from, to).
func (w *window) eachLive(l *layer, from, to key, do func(key)) {
	if from >= to {
		return
	}
	for k := l.live.next(from); k >= 0 && k < to; k = l.next(k) {
		do(k)
	}
}

// room is the limit that is left for what is no system head.
func (w *window) room(in *layer) int64 {
	switch {
	case w.share > 0:
		return w.total - int64(oldest(int(w.total), w.share))
	case !w.headCounts:
		return w.max
	}
	left := w.max
	w.eachLive(in, 0, w.head, func(k key) { left -= int64(in.items[k].tokens) })
	return left
}

// weigh brings the weight of k up to date.
func (w *window) weigh(in *layer, k key) {
	it := in.items[k]
	w.countUnit(in, k, it.live)
	n := int32(0)
	isUser := false
	if it.live && k >= w.head {
		isUser = in.role(k) == model.User
		switch w.measure {
		case byMessage:
			n = 1
		case byUser:
			n = b2i(isUser)
		case byUnit:
			n = b2i(unitHead(in, k) == k)
		case byTokens:
			n = it.tokens
		}
	}
	if isUser {
		w.users.set(k)
	} else {
		w.users.clear(k)
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
		w.weighted.set(at)
	} else {
		w.weighted.clear(at)
	}
}

// countUnit keeps count of the live messages of each unit.
func (w *window) countUnit(in *layer, k key, live bool) {
	if live == w.counted.has(k) {
		return
	}
	head := unitHead(in, k)
	if live {
		w.counted.set(k)
		w.members[head]++
		w.units.set(head)
		return
	}
	w.counted.clear(k)
	if w.members[head]--; w.members[head] == 0 {
		w.units.clear(head)
	}
}

// slide moves start so that the sum fits the room, and no further.
func (w *window) slide(room int64) {
	for w.sum > room {
		k := w.weighted.next(w.start)
		if k < 0 || w.newest && w.weighted.next(k+1) < 0 {
			break
		}
		w.sum -= int64(w.weight[k])
		w.start = k + 1
	}
	for w.start > 0 {
		k := w.weighted.prev(w.start - 1)
		if k < 0 {
			w.start = 0
			break
		}
		forced := w.newest && w.weighted.next(w.start) < 0
		if w.sum+int64(w.weight[k]) > room && !forced {
			w.start = k + 1 // whatever was between when it slid
			break
		}
		w.sum += int64(w.weight[k])
		w.start = k
	}
}

// aligned is the first key that is kept: everything live before it goes.
func (w *window) aligned(in *layer) key {
	if w.align == alignUser && w.start > 0 && w.part < 0 {
		if k := w.users.next(w.start); k >= 0 {
			return max(w.start, in.prev(k)+1)
		}
	}
	return w.start
}

// repin keeps track of the first unit.
func (w *window) repin(in, out *layer) {
	if !w.pinFirst {
		return
	}
	first := in.live.next(w.head)
	if first == w.first {
		return
	}
	old := w.first
	w.first = first
	for _, k := range []key{old, first} {
		if k >= 0 {
			w.decideGroup(in, out, k)
		}
	}
}

// decideGroup decides on k and all of the group it belongs to: its first message
// may be a result that stands before its call.
func (w *window) decideGroup(in, out *layer, k key) {
	w.decideOne(in, out, k)
	if !in.isMessage(k) {
		return
	}
	for _, i := range in.thread.Members(in.message(k)) {
		w.decideOne(in, out, in.ofMessage(int(i)))
	}
}

// decide lets k through or drops it, and with the head of a group the group.
func (w *window) decide(in, out *layer, k key) {
	w.decideOne(in, out, k)
	if !in.isMessage(k) {
		return
	}
	members := in.thread.Members(in.message(k))
	if len(members) > 1 && (w.align == alignBack || in.ofMessage(int(members[0])) == k) {
		for _, i := range members {
			if m := in.ofMessage(int(i)); m != k {
				w.decideOne(in, out, m)
			}
		}
	}
}

func (w *window) decideOne(in, out *layer, k key) {
	it := in.items[k]
	switch head := unitHead(in, k); {
	case !it.live:
		out.drop(k, whyGone)
	case k < w.head, head >= w.from, w.align == alignBack && unitTail(in, k) >= w.from:
		out.put(k, it, 0)
	case w.extra != nil && w.extra.has(head):
		out.put(k, it, 0)
	case k == w.part:
		out.put(k, w.partItem, 0)
	case head < w.leadEnd:
		out.put(k, it, 0)
	case w.pinFirst && w.first >= 0 && head == unitHead(in, w.first):
		out.put(k, it, whyFirst)
	case w.pinLast && head == w.last:
		out.put(k, it, 0)
	case k >= w.from:
		out.drop(k, whyPair)
	default:
		out.drop(k, whyOlder)
	}
}

// unitHead is the key of the first message of the group k belongs to, or k.
func unitHead(l *layer, k key) key {
	if l.isMessage(k) {
		if members := l.thread.Members(l.message(k)); len(members) > 0 {
			return l.ofMessage(int(members[0]))
		}
	}
	return k
}

// unitTail is the key of the last message of the group of k that is live, or k.
func unitTail(l *layer, k key) key {
	if l.isMessage(k) {
		members := l.thread.Members(l.message(k))
		for i := len(members) - 1; i >= 0; i-- {
			if m := l.ofMessage(int(members[i])); l.isLive(m) {
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
	build: func(a args) (builtStage, error) {
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
	build: func(a args) (builtStage, error) {
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
	build: func(a args) (builtStage, error) {
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
	build: func(a args) (builtStage, error) {
		limit, err := a.tokens("max")
		w := &window{measure: byTokens, max: max(1, limit), newest: true, keepHead: true, pinFirst: a.boolean("pin_first")}
		return w.built(fmt.Sprintf("would exceed %s tokens", group(int(w.max)))), err
	},
}

func (w *window) built(older string) builtStage {
	return builtStage{stage: w, reasons: []string{"", older, "its call is not kept", "kept: the first text is pinned"}}
}
