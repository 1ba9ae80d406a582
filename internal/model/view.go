package model

import "strings"

// Fate is what became of a message in a view.
type Fate uint8

// The fates.
const (
	Kept Fate = iota
	WasChanged
	WasDropped
	Added
)

var fateNames = [...]string{"kept", "changed", "dropped", "added"}

func (f Fate) String() string { return fateNames[f] }

// A Piece of a text in a view: a range of the original text, in bytes, or an
// inserted string. Views never hold rewritten copies.
type Piece struct {
	Start, End int
	Insert     string // not empty: this string, and Start and End mean nothing
}

// Join makes a text of its pieces.
func Join(original string, pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Insert != "" {
			b.WriteString(p.Insert)
		} else {
			b.WriteString(original[p.Start:p.End])
		}
	}
	return b.String()
}

// EntryText is the text of an entry of a view of thread t.
func (r *Run) EntryText(t *Thread, e *Entry) (string, error) {
	original := ""
	if e.Index >= 0 {
		var err error
		if original, err = r.Text(t.At(int(e.Index))); err != nil || e.Text == nil {
			return original, err
		}
	}
	return Join(original, e.Text), nil
}

// A View is what the model got at one call, message by message, beside the
// history it came from.
type View struct {
	Call    int // number of the call; len(Calls)+1 is the one after the record
	Basis   Basis
	Note    string // one sentence on the basis, for a person
	Entries []Entry
	// Original and Curated count the messages given and those in the view.
	Original, Curated Tally
	Context           Context
	// Stages holds the tally after each stage of the chain.
	Stages []StageTally
	// PrefixKept is the number of leading messages that equal those of the
	// previous call. PrefixBreak is the index of the first message that differs;
	// it is not set when the previous view is a prefix of this one.
	PrefixKept  int
	PrefixBreak Maybe
	// Estimated says that some count or some text is an estimate.
	Estimated bool
	// External says that a program of the user's had a part in it.
	External bool
	Problems []Problem
}

// Tally is a number of messages and their tokens.
type Tally struct {
	Messages int
	Tokens   int64
}

// A Context is the size of the prompt of a call, in tokens.
type Context struct {
	Tokens int64
	// Counted says that the provider counted it; else it is the messages and Beside.
	Counted bool
	// Beside is what prompts hold beside the messages, such as tools: an estimate, 0
	// where it is not known, or in Tokens the provider counted.
	Beside int64
}

// StageTally is what was left after one stage.
type StageTally struct {
	Stage string // the stage in normal form
	Tally
}

// NoMessage is the Index of an [Entry] that is not in the thread.
const NoMessage = -1

// An Entry is one message in a view: kept, changed, dropped, or added by a stage.
type Entry struct {
	Index  int32 // message of the thread, or NoMessage
	Role   Role
	Fate   Fate
	By     string // the stage that did it; "" when the message is as recorded
	Reason string // why, for a person
	// Text is the text of a changed or added message; nil when the text is as
	// recorded. An empty, non-nil Text is an empty text.
	Text []Piece
	// Calls are the calls of a changed assistant message that are left, by their
	// place in the message; nil when all are.
	Calls []int
	// NoThinking says that thinking was left out, EmptyArgs that the arguments
	// of the calls were.
	NoThinking, EmptyArgs bool
	Tokens, WasTokens     int32
	// Answers is set on a result that a stage made up: the call it answers.
	Answers *Answer
}

// An Answer says which call a made-up result answers.
type Answer struct {
	Message  int32 // the assistant message that makes the call
	CallID   string
	ToolName string
}

// A Problem is something a provider would refuse or a person should know.
type Problem struct {
	Rule     string // "orphan-result"
	Provider string // "" for all
	Index    Maybe  // message of the thread, where it concerns one
	Message  string
}
