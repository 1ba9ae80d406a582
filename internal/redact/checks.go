package redact

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// checks are the tests that a row of the table may name.
var checks = map[string]func(secret string) bool{
	// letters and digits, as in random keys
	"mixed": func(s string) bool {
		letters, digits, _, _ := census(s)
		return letters > 0 && digits > 0 && !standsIn(s)
	},
	// no $VARIABLE, <placeholder> or ****
	"literal": func(s string) bool { return !standsIn(s) },
	// a password that a person chose: no variable name and no code
	"password": func(s string) bool { return judge(Default, passwordKey, s, true) },
	"spoken": func(s string) bool {
		_, digits, symbols, _ := census(s)
		return digits+symbols > 0 && judge(Default, passwordKey, s, false)
	},
	// a value whose key names a credential
	"token": func(s string) bool { return judge(Strict, tokenKey, s, true) && len(s) >= 8 },
	// a header in JSON
	"jwt": func(s string) bool {
		header, _, _ := strings.Cut(s, ".")
		decoded, err := base64.RawURLEncoding.DecodeString(header)
		return err == nil && json.Valid(decoded)
	},
	// user:password in base64
	"basic": func(s string) bool {
		decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
		return err == nil && printable(decoded) && strings.Contains(string(decoded), ":")
	},
}
