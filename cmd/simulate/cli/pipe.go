package cli

import (
	"errors"
	"io"
	"sync/atomic"
	"syscall"
)

// pipe is an output whose reader may go away, as head does. From then on it swallows what
// is written: the command goes on, writes its files and ends with the exit code of its
// work. All other errors are returned.
type pipe struct {
	to     io.Writer
	closed atomic.Bool
}

func (p *pipe) Write(b []byte) (int, error) {
	if p.closed.Load() {
		return len(b), nil
	}
	n, err := p.to.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.closed.Store(true)
		return len(b), nil
	}
	return n, err
}
