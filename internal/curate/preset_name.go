package curate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// CheckPresetName says what is wrong with a name, without its @, for a preset of the
// user's; nil where nothing is. A name has letters, digits, _, - and points only.
func CheckPresetName(name string) error {
	if name == "" {
		return errors.New("a preset needs a name")
	}
	if strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
	}) >= 0 {
		return fmt.Errorf("the name of preset %q has more than letters, digits, _, - and points", name)
	}
	return nil
}

// CheckNewPreset is [CheckPresetName], and reports a name that lens has already.
func CheckNewPreset(name string) error {
	if slices.ContainsFunc(Presets(), func(p Preset) bool { return p.Name == "@"+name }) {
		return fmt.Errorf("@%s is a chain of lens's own: take another name", name)
	}
	return CheckPresetName(name)
}
