//go:build !linux

package largepages

// limited makes no difference here.
func limited() bool { return false }

// advise does nothing: only Linux is asked.
func advise(int64) bool { return false }
