package programs

import (
	"time"

	"github.com/spf13/pflag"
)

// Options say how the programs of a chain are run.
type Options struct {
	timeout  time.Duration
	Unmasked bool
}

func (f *Options) Add(flags *pflag.FlagSet) {
	flags.DurationVar(&f.timeout, "program-timeout", 30*time.Second, `time a program of the chain may take: exec("…"), summary=command("…")`)
	flags.BoolVar(&f.Unmasked, "program-unmasked", false, "give programs of the chain the texts with their secrets")
}
