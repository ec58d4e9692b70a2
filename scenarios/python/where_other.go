//go:build !unix

package python

import "os"

// sayWhere does nothing: the system has no signal for it.
func sayWhere(*os.Process) {}
