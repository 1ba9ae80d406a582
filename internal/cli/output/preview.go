package output

import (
	"hash/crc32"
	"strings"

	"agentlens/internal/cli/session"
	"agentlens/internal/export/request"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

// previewLen is the maximum length of a text in a table, in code points.
const previewLen = 56

// previews makes the previews of a thread's messages. Most of the time that one takes is the search for secrets, and
// most texts have none, so the numbers of those messages are kept between two starts of the program.
type previews struct {
	gate *safe.Gate
	r    *session.Replay
	kept model.NumberStore // or nil
	what string
	// clear holds, by message, the checksum of a preview in which the rules found nothing, or 0. A message with
	// another preview is searched again.
	clear  []int32
	found  bool // clear has new numbers
	buffer []byte
}

// previewRules names what the numbers of previews depend on besides the rules of the gate.
const previewRules = "previews 1 "

// previewsOf returns the previews of a replayed thread.
func previewsOf(g *safe.Gate, r *session.Replay) *previews {
	p := &previews{gate: g, r: r}
	if p.kept, _ = r.Run.Kept.(model.NumberStore); p.kept == nil || g.Level() == redact.Off {
		return p
	}
	p.what = previewRules + g.Rules()
	list, ok := p.kept.LoadNumbers(r.Run, r.Thread, p.what)
	if !ok || len(list) != r.Thread.Len() {
		list = make([]int32, r.Thread.Len())
	}
	p.clear = list
	return p
}

// save keeps the new numbers.
func (p *previews) save() {
	if p.found {
		p.kept.SaveNumbers(p.r.Run, p.r.Thread, p.what, p.clear)
	}
}

// of returns the preview of an entry: the beginning of its text, and its calls.
func (p *previews) of(e *model.Entry) (string, error) {
	if e.Index < 0 {
		return p.gate.PreviewPieces("", e.Text(), previewLen).String(), nil
	}
	m := p.r.Thread.At(int(e.Index))
	calls := ""
	if len(m.Calls) > 0 {
		var names []string
		for _, j := range request.LeftCalls(m, e) {
			names = append(names, "→ "+m.Calls[j].Name)
		}
		calls = p.gate.Line(strings.Join(names, " ")).String()
	}
	text, ok, err := p.text(m, e)
	if err != nil {
		return "", err
	}
	if ok && calls != "" {
		text += "  "
	}
	return text + calls, nil
}

// text returns the beginning of the text of an entry. ok is false if its message has no text.
func (p *previews) text(m *model.Message, e *model.Entry) (text string, ok bool, err error) {
	if e.Fate == model.WasChanged {
		if text, err = p.r.Run.Text(m); err != nil || text == "" {
			return "", false, err
		}
		return p.gate.PreviewPieces(text, e.Text(), previewLen).String(), true, nil
	}
	if shown, ok := p.again(m, e.Index); ok {
		return shown, true, nil
	}
	if text, err = p.r.Run.TextHead(m, safe.PreviewBytes(previewLen)); err != nil || text == "" {
		return "", false, err
	}
	shown, isClear := p.gate.PreviewOnce(text, previewLen)
	if p.clear != nil && isClear {
		p.clear[e.Index], p.found = p.sum(shown), true
	}
	return shown.String(), true, nil
}

// again returns the preview of a message whose text was searched before.
func (p *previews) again(m *model.Message, index int32) (shown string, ok bool) {
	if p.clear == nil || p.clear[index] == 0 {
		return "", false
	}
	for _, least := range [...]int{safe.ClearBytes(previewLen), safe.PreviewBytes(previewLen)} {
		text, err := p.r.Run.TextHead(m, least)
		if err != nil {
			return "", false
		}
		if preview, ok := p.gate.PreviewClear(text, previewLen); ok {
			return preview.String(), p.sum(preview) == p.clear[index]
		}
	}
	return "", false
}

// sum returns a checksum of a preview. It is not 0.
func (p *previews) sum(preview safe.Safe) int32 {
	p.buffer = append(p.buffer[:0], preview.String()...)
	return int32(crc32.ChecksumIEEE(p.buffer) | 1)
}
