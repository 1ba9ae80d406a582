//go:build !unix

package deliver

// alive reports true: this system cannot be asked without a handle to the process.
func alive(int) bool { return true }
