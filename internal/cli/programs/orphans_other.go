//go:build !linux

package programs

// adopt does nothing: only Linux can give orphans to a process other than init.
func adopt() {}

// killOrphans does nothing: this system does not report processes that left the group of a program.
func killOrphans(string) {}
