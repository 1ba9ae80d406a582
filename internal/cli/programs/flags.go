package programs

import (
	"time"

	"github.com/spf13/pflag"
)

// Options configure the programs of a chain.
type Options struct {
	timeout  time.Duration
	Unmasked bool
}

// Add defines the flags that set the options.
func (f *Options) Add(flags *pflag.FlagSet) {
	flags.DurationVar(&f.timeout, "program-timeout", 30*time.Second, "")
	flags.BoolVar(&f.Unmasked, "program-unmasked", false, "")
}
