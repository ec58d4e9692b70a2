//go:build !unix

package cli

import (
	"context"
	"os"
)

// hungUp waits for what only Unix tells; elsewhere the system ends the program with its terminal.
func hungUp(ctx context.Context, _ *os.File) bool {
	<-ctx.Done()
	return false
}
