package largepages

import (
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Least is how many bytes are worth the call.
const Least = 64 << 20

// headroom is how much of what is said to be needed the heap may come to hold: messages on their way, copies of
// iterates, and what the garbage collector has not freed yet.
const headroom = 4

// Heap is the heap of the process. The zero value is ready; it may be used by several goroutines.
type Heap struct {
	mu    sync.Mutex
	ready int64 // bytes that were prepared
}

// Prepare says that some bytes will be allocated by each of as many goroutines as there are processors. It asks for
// large pages for them and some headroom, at most half of the memory that is free, unless it did so before, or
// memory is limited, as by ulimit -v or GOMEMLIMIT, so that what is not touched counts.
func (h *Heap) Prepare(bytes int64) {
	if bytes < Least {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	free := wanted(os.DirFS("/"))
	want := free / 2
	if each := want / headroom / int64(runtime.GOMAXPROCS(0)); bytes < each {
		want = bytes * headroom * int64(runtime.GOMAXPROCS(0))
	}
	if want >= Least && want > h.ready && !limited() && advise(want) {
		h.ready = want
	}
}

// wanted returns how many bytes of memory are free if the system gives large pages to those that ask, and promises
// memory that it may not have; else 0. The root is that of the file system.
func wanted(root fs.FS) int64 {
	if !strings.Contains(read(root, "sys/kernel/mm/transparent_hugepage/enabled"), "[madvise]") {
		return 0
	}
	if read(root, "proc/sys/vm/overcommit_memory") == "2" {
		return 0
	}
	for line := range strings.Lines(read(root, "proc/meminfo")) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemAvailable:" && f[2] == "kB" {
			kB, err := strconv.ParseInt(f[1], 10, 54)
			if err != nil {
				return 0
			}
			return kB << 10
		}
	}
	return 0
}

// read returns a file's text, without space around it; none if it cannot be read.
func read(root fs.FS, name string) string {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
