//go:build !linux

package programs

// A nursery does nothing: this system does not report processes that left the group of a program.
type nursery struct{}

func theNursery() nursery { return nursery{} }

func (nursery) begin() {}

func (nursery) end(string) {}

func (nursery) foreground() (ended func()) { return func() {} }
