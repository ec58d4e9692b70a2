//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package result

import (
	"errors"
	"os"
	"syscall"
)

// foldersLock reports whether lockFolder does anything.
const foldersLock = true

// lockFolder waits until nobody else has locked the folder, and locks it. The end of
// the process unlocks it too. A file system without locks goes without.
func lockFolder(path string) (unlock func() error, err error) {
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(folder.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	without := errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) || errors.Is(err,
		syscall.EINVAL) || errors.Is(err, syscall.EBADF)
	if err != nil && !without {
		return nil, errors.Join(err, folder.Close())
	}
	return folder.Close, nil
}
