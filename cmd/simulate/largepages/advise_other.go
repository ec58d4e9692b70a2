//go:build !linux

package largepages

// advise does nothing: only Linux is asked.
func advise(int64) bool { return false }
