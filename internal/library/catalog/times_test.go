package catalog

import (
	"math"
	"testing"
	"time"

	"agentlens/internal/model"
)

func TestTimes(t *testing.T) {
	at := func(seconds int64) model.Time { return model.Time((1_800_000_000 + seconds) * 1e9) }
	for name, c := range map[string]struct {
		roles            []model.Role
		times            []model.Time
		duration, active time.Duration
		last             model.Time
	}{
		"nothing":                {[]model.Role{model.User}, []model.Time{0}, -1, -1, 0},
		"one time":               {[]model.Role{model.User, model.Assistant}, []model.Time{at(0), 0}, -1, -1, at(0)},
		"no pause":               {[]model.Role{model.User, model.Assistant, model.User}, []model.Time{at(0), at(400), at(700)}, 700 * time.Second, 700 * time.Second, at(700)},
		"a pause":                {[]model.Role{model.User, model.Assistant, model.User}, []model.Time{at(0), at(10), at(311)}, 311 * time.Second, 10 * time.Second, at(311)},
		"a slow tool":            {[]model.Role{model.User, model.Assistant, model.Tool}, []model.Time{at(0), at(10), at(9000)}, 9000 * time.Second, 9000 * time.Second, at(9000)},
		"a clock that goes back": {[]model.Role{model.User, model.Assistant, model.User}, []model.Time{at(50), at(0), at(20)}, 50 * time.Second, 50 * time.Second, at(50)},
		"all of time":            {[]model.Role{model.User, model.Assistant}, []model.Time{math.MinInt64, math.MaxInt64}, math.MaxInt64, math.MaxInt64, math.MaxInt64},
	} {
		b := model.NewThread("t", "main")
		for i, role := range c.roles {
			b.Add(model.Message{Role: role, At: c.times[i]})
		}
		row := Of(testGate(t), nil, &model.Run{Threads: []*model.Thread{b.Build()}})
		if row.Duration != c.duration || row.Active != c.active || row.Last != c.last {
			t.Errorf("%s: %v, of it %v active, until %d, want %v, %v, %d", name, row.Duration, row.Active, row.Last, c.duration, c.active, c.last)
		}
	}
}
