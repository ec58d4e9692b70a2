package python

import (
	"io"
	"os"
	"runtime"
	"syscall"
	"time"
)

// looker reads from a pipe. It polls for the first bytes of a frame before it blocks.
type looker struct {
	*os.File
	looks
	raw    syscall.RawConn
	next   bool // the next read is for the first bytes of a frame
	within time.Duration
	into   []byte
	n      int
	err    error // EAGAIN: nothing came
	short  bool
	try    func(fd uintptr) bool
}

// lookingAt returns a reader of a pipe that polls if there are several cores.
func lookingAt(f *os.File) pipe {
	l := &looker{File: f}
	l.try = func(fd uintptr) bool {
		began := time.Now()
		for {
			l.n, l.err = syscall.Read(int(fd), l.into)
			took := time.Since(began)
			if l.err != syscall.EAGAIN || took > l.within {
				l.short = took <= usualWindow
				return true
			}
		}
	}
	if min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) > 1 {
		if raw, err := f.SyscallConn(); err == nil {
			l.raw = raw
		}
	}
	return l
}

func (l *looker) look() { l.next = l.raw != nil }

// Read implements io.Reader.
func (l *looker) Read(b []byte) (int, error) {
	l.within = 0
	if l.next {
		l.next, l.within = false, l.window()
	}
	if l.within == 0 || len(b) == 0 {
		return l.File.Read(b)
	}
	l.into = b
	if err := l.raw.Read(l.try); err != nil {
		return 0, err
	}
	l.waited(l.short && l.err == nil)
	switch {
	case l.err == nil && l.n > 0:
		return l.n, nil
	case l.err == nil:
		return 0, io.EOF
	}
	return l.File.Read(b) // blocks, or returns the error
}
