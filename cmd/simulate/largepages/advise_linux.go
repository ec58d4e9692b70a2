package largepages

import (
	"math"
	"runtime"
	"runtime/debug"
	"syscall"
)

// huge is MADV_HUGEPAGE of madvise(2).
const huge = 14

// advise asks for large pages for the part of the heap that is allocated next. It does nothing, and returns false,
// where memory is limited in a way that counts what is not touched.
func advise(bytes int64) bool {
	if bytes > math.MaxInt/2 || debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return false
	}
	for _, kind := range []int{syscall.RLIMIT_AS, syscall.RLIMIT_DATA} {
		var limit syscall.Rlimit
		if syscall.Getrlimit(kind, &limit) != nil || limit.Cur != math.MaxUint64 {
			return false
		}
	}
	piece := make([]byte, bytes) // fresh from the system: nobody clears it
	err := syscall.Madvise(piece, huge)
	runtime.KeepAlive(piece)
	piece = nil
	runtime.GC()
	return err == nil
}
