package main

import (
	"encoding/base64"
	"strings"
)

// A secret is a fake credential.
type secret struct {
	kind  string // for a person, and how texts refer to it: {{kind}}
	value string
}

// fakeSecrets assembles the secrets.
func fakeSecrets() []secret {
	d := newDice("secrets")
	part := func(alphabet string, n int) string { return d.letters(alphabet, n) }
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	password := part(alnum, 7) + "." + part(alnum, 9)
	return []secret{
		{"openai key", "sk-" + "proj-" + part(url64, 74) + "T3Blbk" + "FJ" + part(url64, 74)},
		{"anthropic key", "sk-" + "ant-" + "api03-" + part(url64, 93) + "AA"},
		{"github token", "ghp" + "_" + part(alnum, 36)},
		{"aws key id", "AK" + "IA" + part(base32, 16)},
		{"aws secret", part(alnum+"/+", 40)},
		{"db password", password},
		{"db url", "postgres" + "://billing_dev:" + password + "@db.dev.example.com:5432/billing"},
		{"bearer token", "blt" + "_" + part(alnum, 44)},
		{"jwt", strings.Join([]string{
			encode(`{"alg":"HS256","typ":"JWT"}`),
			encode(`{"iss":"billing.dev.example.com","sub":"svc-reconcile","scope":"invoices:read","exp":1774310400}`),
			part(url64, 43),
		}, ".")},
	}
}

// fill returns a replacer of {{kind}} by the secret of that kind.
func fill(secrets []secret) *strings.Replacer {
	var pairs []string
	for _, s := range secrets {
		pairs = append(pairs, "{{"+s.kind+"}}", s.value)
	}
	return strings.NewReplacer(pairs...)
}
