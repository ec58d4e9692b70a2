//go:build unix

package cli

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// hungUp waits until the terminal, or the other end of the pipe, that a file is has gone, and
// returns true; or false when ctx ends, or if the file is neither. Nothing is read from it, which
// would stop a program in the background.
func hungUp(ctx context.Context, file *os.File) bool {
	const often = 500 // milliseconds
	for ctx.Err() == nil {
		fds := []unix.PollFd{{Fd: int32(file.Fd())}}
		n, err := unix.Poll(fds, often)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || n > 0 && fds[0].Revents&unix.POLLNVAL != 0:
			return false
		case n > 0 && fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0:
			return true
		}
	}
	return false
}
