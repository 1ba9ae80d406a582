package inspect

import (
	"encoding/json"
	"errors"
	"fmt"

	"agentlens/internal/trace/ground/document"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/source"
)

// maxDocument limits the size of a log that is one JSON document, in bytes.
const maxDocument = 1 << 30

// An evalLog is a log in the form of one JSON document.
type evalLog struct {
	list  []json.RawMessage
	heads []header
	torn  bool
	rest  int
}

func openDocument(f *source.File) (*evalLog, error) {
	v, err := document.Read(f, maxDocument)
	if err != nil {
		return nil, err
	}
	top := members.Parse(v.JSON)
	if top.Object("eval") == nil {
		return nil, errors.New("an evaluation log was expected: an object with version, status and eval")
	}
	d := &evalLog{list: top.Array("samples"), torn: v.Torn, rest: v.Rest}
	delete(top, "samples")
	head, err := json.Marshal(top)
	if err != nil {
		return nil, fmt.Errorf("the members beside samples: %w", err)
	}
	d.heads = []header{{"header.json", head}}
	return d, nil
}

func (d *evalLog) samples() ([]sampleRef, error) {
	refs := make([]sampleRef, len(d.list))
	for i, raw := range d.list {
		refs[i] = sampleRef{where: fmt.Sprintf("samples[%d]", i), entry: i}
		refs[i].identify(fmt.Sprint(i+1), true, 1)
		refs[i].describe(members.Parse(raw))
	}
	sortRefs(refs)
	return refs, nil
}

// read returns a sample. In a truncated log, only the last sample is torn.
func (d *evalLog) read(s sampleRef) (document.Value, error) {
	v := document.Value{JSON: d.list[s.entry]}
	if s.entry == len(d.list)-1 {
		v.Torn, v.Rest = d.torn, d.rest
	}
	return v, nil
}

func (d *evalLog) headers() []header { return d.heads }
