package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/redact"
)

// file is the form of the settings file.
type file struct {
	Level   string           `toml:"level"`
	Theme   any              `toml:"theme"` // a name, or a table of colours
	Windows map[string]any   `toml:"windows"`
	Prices  map[string]price `toml:"prices"`
	Presets map[string]string
}

type price struct {
	Input      *float64 `toml:"input"`
	Output     *float64 `toml:"output"`
	CacheRead  *float64 `toml:"cache_read"`
	CacheWrite *float64 `toml:"cache_write"`
}

// parse takes over what the file says.
func (s *Settings) parse(data []byte) error {
	var f file
	dec := toml.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err := dec.Decode(&f)
	var unknown *toml.StrictMissingError
	var fault *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		for i := range unknown.Errors {
			line, _ := unknown.Errors[i].Position()
			s.Warnings = append(s.Warnings, Fault{s.Path, line, fmt.Sprintf("there is no setting %q; it is passed over", strings.Join(unknown.Errors[i].Key(), "."))})
		}
	case errors.As(err, &fault):
		line, _ := fault.Position()
		return Fault{s.Path, line, explain(fault, keyAt(data, line))}
	case err != nil:
		return Fault{s.Path, 0, strings.TrimPrefix(err.Error(), "toml: ")}
	}
	at := places{path: s.Path, lines: linesOf(data)}
	if f.Level != "" {
		s.Level = at.setting(f.Level, "level")
		if _, err := redact.ParseLevel(f.Level); err != nil {
			return at.fault(err.Error(), "level")
		}
	}
	if err := s.theme(f.Theme, at); err != nil {
		return err
	}
	if err := s.models(&f, at); err != nil {
		return err
	}
	return s.presets(&f, at)
}

// explain says what is wrong without the names of this program's types.
func explain(fault *toml.DecodeError, key string) string {
	message := strings.TrimPrefix(fault.Error(), "toml: ")
	_, wanted, mismatch := strings.Cut(message, " of type ")
	if !mismatch {
		return message
	}
	what := "a table"
	switch strings.TrimPrefix(wanted, "*") {
	case "string":
		what = "a text in quotes"
	case "float64":
		what = "a number"
	}
	return fmt.Sprintf("%s must be %s", key, what)
}

// keyAt is the key of a line.
func keyAt(data []byte, line int) string {
	for key, at := range linesOf(data) {
		if at == line {
			return strings.ReplaceAll(key, "\x00", ".")
		}
	}
	return "this"
}

// theme reads the name of a theme, or the colours of one.
func (s *Settings) theme(v any, at places) error {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		if v != "" {
			s.Theme = at.setting(v, "theme")
		}
		return nil
	case map[string]any:
		return s.colours(v, at)
	}
	return at.fault("theme must be a text in quotes, or a table of colours", "theme")
}

func (s *Settings) colours(table map[string]any, at places) error {
	own := &Colours{Of: map[string]int{}, Line: map[string]int{}}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		text, ok := table[name].(string)
		if !ok {
			return at.fault(fmt.Sprintf("theme.%s must be a text in quotes", name), "theme", name)
		}
		if name == "base" {
			own.Base = at.setting(text, "theme", name)
			continue
		}
		rgb, err := colour(text)
		if err != nil {
			return at.fault(fmt.Sprintf("theme.%s: %v", name, err), "theme", name)
		}
		own.Of[name], own.Line[name] = rgb, at.line("theme", name)
	}
	s.Theme, s.Colours = at.setting(OwnTheme, "theme"), own
	return nil
}

// colour reads #rrggbb, #rgb, or default, which is -1.
func colour(text string) (int, error) {
	if text == "default" {
		return -1, nil
	}
	digits, sharp := strings.CutPrefix(text, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	rgb, err := strconv.ParseUint(digits, 16, 24)
	if err != nil || !sharp || len(digits) != 6 {
		return 0, fmt.Errorf("%q is no colour: want one such as \"#7ee787\", or \"default\" for the terminal's own", text)
	}
	return int(rgb), nil
}

func (s *Settings) models(f *file, at places) error {
	for _, name := range slices.Sorted(maps.Keys(f.Windows)) {
		tokens, err := count(f.Windows[name])
		if err != nil {
			return at.fault(err.Error(), "windows", name)
		}
		s.Models = append(s.Models, Model{models.Own{Name: name, Window: tokens}, at.from("windows", name)})
	}
	for _, name := range slices.Sorted(maps.Keys(f.Prices)) {
		p, own := f.Prices[name], models.Own{Name: name}
		for _, r := range []struct {
			key  string
			from *float64
			to   *models.Rate
		}{
			{"input", p.Input, &own.Prices.Input},
			{"output", p.Output, &own.Prices.Output},
			{"cache_read", p.CacheRead, &own.Prices.CacheRead},
			{"cache_write", p.CacheWrite, &own.Prices.CacheWrite},
		} {
			switch {
			case r.from == nil:
			case !(*r.from >= 0 && *r.from < 1e9):
				return at.fault(fmt.Sprintf("%s is a price in dollars per million tokens, not %v", r.key, *r.from), "prices", name, r.key)
			default:
				*r.to = models.Rate{*r.from}
			}
		}
		s.Models = append(s.Models, Model{own, at.from("prices", name)})
	}
	return nil
}

// count reads a number of tokens: 200000, 200_000 or "200k".
func count(v any) (int64, error) {
	n, ok := v.(int64)
	if text, is := v.(string); is {
		n, ok = Tokens(text)
	}
	if !ok || n <= 0 || n > 1e12 {
		return 0, fmt.Errorf("a window is a number of tokens such as 200000 or \"200k\", not %v", v)
	}
	return n, nil
}

// Tokens reads a number of tokens as a person writes it: 200000, 200k, 1M.
func Tokens(text string) (n int64, ok bool) {
	times := 1.0
	switch {
	case strings.HasSuffix(text, "k"), strings.HasSuffix(text, "K"):
		text, times = text[:len(text)-1], 1e3
	case strings.HasSuffix(text, "M"):
		text, times = text[:len(text)-1], 1e6
	}
	f, err := strconv.ParseFloat(text, 64)
	if f *= times; err != nil || !(f >= 0 && f <= 1e15) || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

func (s *Settings) presets(f *file, at places) error {
	var own []curate.Preset
	names := slices.Sorted(maps.Keys(f.Presets))
	for _, name := range names {
		own = append(own, curate.Preset{Name: "@" + strings.TrimPrefix(name, "@"), Chain: f.Presets[name], Whose: "your settings"})
	}
	for i, name := range names {
		if err := curate.CheckPresetName(strings.TrimPrefix(name, "@")); err != nil {
			return at.fault(err.Error(), "presets", name)
		}
		if _, err := curate.ParseWith(own[i].Chain, own); err != nil {
			return at.fault(fmt.Sprintf("preset %q: %v", name, err), "presets", name)
		}
		s.Presets = append(s.Presets, Preset{own[i], at.from("presets", name)})
	}
	return nil
}

// places knows the line of each key.
type places struct {
	path  string
	lines map[string]int
}

// line is that of the key, or of the nearest table around it; 0 for none.
func (p places) line(key ...string) int {
	for ; len(key) > 0; key = key[:len(key)-1] {
		if n := p.lines[strings.Join(key, "\x00")]; n > 0 {
			return n
		}
	}
	return 0
}

func (p places) from(key ...string) string { return fmt.Sprintf("line %d", p.line(key...)) }

func (p places) setting(value string, key ...string) Setting {
	return Setting{value, p.from(key...), p.line(key...)}
}

func (p places) fault(message string, key ...string) error {
	return Fault{p.path, p.line(key...), message}
}

// linesOf gives the line of every key and table of a file that was read without
// fault.
func linesOf(data []byte) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
			continue
		}
		var key []string
		line := 0
		for it := e.Key(); it.Next(); {
			key = append(key, string(it.Node().Data))
			line = p.Shape(it.Node().Raw).Start.Line
		}
		if e.Kind == unstable.KeyValue {
			key = append(slices.Clone(table), key...)
		} else {
			table = key
		}
		lines[strings.Join(key, "\x00")] = line
	}
	return lines
}
