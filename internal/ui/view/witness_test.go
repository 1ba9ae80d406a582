package view

import (
	"testing"
	"time"

	"agentlens/internal/model"
	"agentlens/internal/witness"
)

func TestBreakWords(t *testing.T) {
	b := CacheBreaks{Counted: []witness.Break{
		{Call: 5, Cause: witness.Expired, Idle: 1421 * time.Second, Rewritten: 49_270},
		{Call: 9, Cause: witness.Unknown, Idle: 5 * time.Second, Rewritten: 3500},
		{Call: 12, Cause: witness.Unknown, Idle: -1, Rewritten: 2000},
	}}
	for call, want := range map[int]string{
		5:  "cache break 1 of 3: the cache expired, 23m 41s after the previous reply, 49.3k tokens not read from the cache",
		9:  "cache break 2 of 3: cause unknown, on the provider's side, 3.5k tokens not read from the cache",
		12: "cache break 3 of 3: cause unknown, on the provider's side, 2.0k tokens not read from the cache",
	} {
		if got := string(b.Words(call)); got != want {
			t.Errorf("call %d: %q, want %q", call, got, want)
		}
	}
	if b.Has(6) || !b.Has(9) || b.At(13) != nil {
		t.Error("the calls are wrong")
	}
}

func TestWitnessMeans(t *testing.T) {
	call := func(s model.PromptState, w model.Witnessed) *model.Call {
		c := &model.Call{State: s, Witnessed: w}
		c.Usage.Set(model.UsageInput, 10)
		c.Usage.Set(model.UsageCacheRead, 134_285)
		return c
	}
	for _, tc := range []struct {
		call *model.Call
		want string
	}{
		{call(model.PromptAppended, model.Confirmed), "the provider counted 134k tokens, the previous prompt with messages appended: 134k read from its cache"},
		{call(model.PromptFell, model.Contradicted), "the provider counted 134k tokens: fewer than before, and the record does not say why"},
		{call(model.PromptAppended, model.Contradicted), "the provider counted 134k tokens, the previous prompt with messages appended: 134k read from its cache; an earlier prompt fell without a recorded reason"},
		{&model.Call{}, ""},
	} {
		if got := witnessMeans(&model.Thread{}, tc.call); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
