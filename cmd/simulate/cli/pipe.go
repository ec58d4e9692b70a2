package cli

import (
	"errors"
	"io"
	"sync/atomic"
	"syscall"
)

// pipe is an output whose reader may go away, as head does. From then on it swallows what
// is written: the command goes on, writes its files and ends with the exit code of its
// work. All other errors are returned; the first is remembered too, since not everything that
// writes hands errors on.
type pipe struct {
	to     io.Writer
	closed atomic.Bool
	failed atomic.Pointer[error]
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
	if err != nil {
		p.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// outcome returns the error that a command ends with: where its output could not be written
// and nothing else went wrong, that.
func (p *pipe) outcome(err error) error {
	wrong := p.failed.Load()
	if wrong != nil && (err == nil || errors.Is(err, *wrong) && exitCode(err) == codeUsage) {
		return failed(*wrong)
	}
	return err
}
