//go:build !linux

package programs

// adopt does nothing: only Linux gives orphans to another process than init.
func adopt() {}

// killOrphans does nothing: what left the group of a program is not known here.
func killOrphans(string) {}
