package cli

import (
	"errors"
	"io"
	"sync/atomic"
	"syscall"
)

// pipe is an output whose reader may close it, as head does. From then on it discards all output,
// so that the command still writes its files and returns its usual exit code. It returns all
// other errors and remembers the first, since some writers drop errors.
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

// outcome returns the error that a command ends with. It is the remembered error if err is nil or
// is that error.
func (p *pipe) outcome(err error) error {
	wrong := p.failed.Load()
	if wrong != nil && (err == nil || errors.Is(err, *wrong) && exitCode(err) == codeUsage) {
		return failed(*wrong)
	}
	return err
}
