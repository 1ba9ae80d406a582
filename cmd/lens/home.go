package main

import "os"

// setHome sets HOME where the system does not, as on Windows: settings, caches and the places of agents are below
// it. It leaves a HOME that is set.
func setHome() {
	if os.Getenv("HOME") != "" {
		return
	}
	if home, err := os.UserHomeDir(); err == nil {
		_ = os.Setenv("HOME", home) // without a home, lens says so where it needs one
	}
}
