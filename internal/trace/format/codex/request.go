package codex

import (
	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
)

// facts are the recorded facts of the session.
type facts struct{ project, branch, release string }

// maxSetting limits the size in bytes of a setting that is shown as JSON.
const maxSetting = 500

// session reads the facts of the session's header.
func (x *index) session() {
	r := &x.r
	x.facts = facts{project: x.row.String(r.cwd), branch: x.row.String(r.branch), release: x.row.String(r.version)}
}

// settings reads the settings of a turn. Replies with equal settings share a request.
func (x *index) settings() {
	r := &x.r
	var params []model.Detail
	for _, p := range []struct {
		key string
		at  span
	}{
		{"model", r.model}, {"cwd", r.cwd}, {"approval_policy", r.approval}, {"sandbox_policy", r.sandbox}, {"effort", r.effort},
	} {
		if value := x.setting(p.at); value != "" {
			params = append(params, model.Detail{Key: p.key, Value: value})
		}
	}
	if x.facts.project == "" {
		x.facts.project = x.row.String(r.cwd)
	}
	if x.request != nil && equal(x.request.Params, params) {
		return
	}
	x.request = &model.Request{Params: params}
	x.requests = append(x.requests, x.request)
}

// setting returns a setting as text. An object is named by its type or mode; one with other
// members is shown as JSON.
func (x *index) setting(at span) string {
	if at.Len() <= 2 {
		return ""
	}
	switch raw := x.row.Data[at.Start:at.End]; raw[0] {
	case '"':
		return x.lines.Name(x.row, at)
	case '{':
		var name string
		members := 0
		s := jsontext.New(raw)
		s.Object(func(key []byte) {
			members++
			if k := string(key); (k == "type" || k == "mode") && s.Peek() == '"' {
				name = s.Text()
			}
		})
		if members == 1 && name != "" {
			return name
		}
		return chat.Cut(string(raw), maxSetting)
	}
	return ""
}

func equal(a, b []model.Detail) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] { // the values are strings
			return false
		}
	}
	return true
}
