package largepages

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

func TestWanted(t *testing.T) {
	const meminfo = "MemTotal:       24679292 kB\nMemFree:         1011484 kB\nMemAvailable:   19922944 kB\n" +
		"HugePages_Total:       0\n"
	for _, c := range []struct {
		about                        string
		enabled, overcommit, meminfo string
		want                         int64
	}{
		{"only those that ask", "always [madvise] never\n", "0\n", meminfo, 19922944 * 1024},
		{"everybody", "[always] madvise never\n", "0\n", meminfo, 0},
		{"nobody", "always madvise [never]\n", "0\n", meminfo, 0},
		{"memory is promised once", "always [madvise] never\n", "2\n", meminfo, 0},
		{"no such files", "", "", "", 0},
		{"no amount", "always [madvise] never\n", "0\n", "MemAvailable: much kB\n", 0},
		{"another unit", "always [madvise] never\n", "0\n", "MemAvailable: 12 MB\n", 0},
	} {
		root := fstest.MapFS{}
		for name, text := range map[string]string{"sys/kernel/mm/transparent_hugepage/enabled": c.enabled,
			"proc/sys/vm/overcommit_memory": c.overcommit, "proc/meminfo": c.meminfo} {
			if text != "" {
				root[name] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		if got := wanted(root); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.about, got, c.want)
		}
	}
}

// Prepared heap has asked for large pages, and the next allocations use it.
func TestPrepare(t *testing.T) {
	var h Heap
	h.Prepare(Least - 1)
	if h.ready != 0 {
		t.Errorf("for %d bytes, %d were prepared", Least-1, h.ready)
	}
	before := asked(t)
	h.Prepare(Least)
	free := wanted(os.DirFS("/"))
	if free == 0 {
		if h.ready != 0 {
			t.Errorf("%d bytes were prepared where nobody has to ask, or it would not help", h.ready)
		}
		return
	}
	if free < 8*Least { // free memory changes from one moment to the next
		t.Logf("%d bytes of memory are free: too few to know what will be prepared", free)
		return
	}
	if limited() {
		if h.ready != 0 {
			t.Errorf("%d bytes were prepared of limited memory", h.ready)
		}
		return
	}
	if h.ready < Least || h.ready > free {
		t.Errorf("%d bytes were prepared, of %d that are free", h.ready, free)
	}
	if got := asked(t) - before; got < h.ready/2 {
		t.Errorf("%d bytes of address space ask for large pages, want %d, about", got, h.ready)
	}
	ready := h.ready
	h.Prepare(Least)
	if h.ready != ready {
		t.Errorf("the same again prepares %d bytes, after %d", h.ready, ready)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 1<<25 {
		t.Errorf("%d bytes of the heap are in use", m.HeapAlloc)
	}
}

// The Go runtime's memory limit counts untouched memory.
func TestLimitedMemoryIsNotPrepared(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	var h Heap
	if h.Prepare(Least); h.ready != 0 {
		t.Errorf("%d bytes were prepared", h.ready)
	}
}

// asked returns how many bytes of address space have asked for large pages.
func asked(t *testing.T) (sum int64) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return 0
	}
	size := int64(0)
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		switch f[0] {
		case "Size:":
			size = 0
			for _, c := range f[1] {
				size = 10*size + int64(c-'0')
			}
		case "VmFlags:":
			for _, flag := range f[1:] {
				if flag == "hg" {
					sum += size << 10
				}
			}
		}
	}
	return sum
}
