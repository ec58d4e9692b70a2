//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package result

// foldersLock reports whether lockFolder does anything.
const foldersLock = false

// lockFolder does nothing: here, no folder can be locked.
func lockFolder(string) (unlock func() error, err error) {
	return func() error { return nil }, nil
}
