package largepages

import (
	"math"
	"runtime"
	"runtime/debug"
	"syscall"
)

// huge is MADV_HUGEPAGE of madvise(2).
const huge = 14

// limited returns whether the memory of this process is limited in a way that counts what is not touched.
func limited() bool {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return true
	}
	for _, kind := range []int{syscall.RLIMIT_AS, syscall.RLIMIT_DATA} {
		var limit syscall.Rlimit
		if syscall.Getrlimit(kind, &limit) != nil || limit.Cur != math.MaxUint64 {
			return true
		}
	}
	return false
}

// advise asks for large pages for the part of the heap that is allocated next, and returns false if it may not.
func advise(bytes int64) bool {
	if bytes > math.MaxInt/2 {
		return false
	}
	piece := make([]byte, bytes) // fresh from the system: nobody clears it
	err := syscall.Madvise(piece, huge)
	runtime.KeepAlive(piece)
	piece = nil
	runtime.GC()
	return err == nil
}
