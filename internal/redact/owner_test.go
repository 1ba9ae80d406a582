package redact

import (
	"slices"
	"testing"
)

// Names of people in ls -l are masked at the strict level only, in every line; accounts of the system, numbers and
// what only resembles a listing are not.
func TestFileOwners(t *testing.T) {
	const listing = "total 8\n-rw-r--r--  1 alex staff   120 Mar  3 10:00 go.mod\ndrwxr-xr-x@ 4 alex devs 128 Mar  3 10:00 cmd\nlrwxrwxrwx 1 root root 7 Mar 3 10:00 bin -> usr/bin\n-rw------- 1 1000 1000 5 Mar 3 10:00 x\n"
	for _, test := range []struct {
		level Level
		text  string
		want  []string
	}{
		{Strict, listing, []string{"alex", "alex", "devs"}},
		{Default, listing, nil},
		{Strict, "- alex -rw alex 12", nil},
		{Strict, "-rw-r--r-- alex staff 12", nil},
	} {
		var got []string
		for _, span := range redactor(t, Options{Level: test.level}).Find(test.text) {
			got = append(got, test.text[span.Start:span.End])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("level %v, %q: %q, want %q", test.level, test.text, got, test.want)
		}
	}
}
