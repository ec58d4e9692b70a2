package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"tallynet/cmd/simulate/serve"
	"tallynet/scenarios/spec"
)

// servedRuns is the default limit on the runs of a study on the live page, which keeps all samples in memory.
const servedRuns = 500

func (a *app) serveCommand() *cobra.Command {
	var limits spec.Limits
	var workers, port int
	c := &cobra.Command{
		Use: "serve [FOLDER] [flags]", Short: "Serve a live page: change a scenario with controls, and watch its cost",
		Long: `A live page in the browser, for the scenarios of a folder (the current one if none is given).
Controls change the topology, the number of nodes, latency, bandwidth, loss, stragglers and seeds,
as --set does; the page shows the predicted cost at once, then the curves of the runs as they come
and what report.html shows, and saves the scenario to a new file. Existing files are never overwritten.

The server listens only on this machine and answers only requests with the token of its link. It
ends with Ctrl-C, with its terminal, or when the pipe at its standard input closes. A study stops
after a minute unless Run was pressed. --max-memory and --max-runs limit each study.`,
		Example: `  simulate serve scenarios`,
		Args:    need(0, 1, "a folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if port < 0 || port > 65535 {
				return fmt.Errorf("serve: --port is %d; want 0 to 65535, where 0 is any free port", port)
			}
			folder := "."
			if len(args) == 1 {
				folder = args[0]
			}
			of := serve.Config{Folder: folder, Catalog: a.catalog, Limits: limits, Workers: workers}
			return a.serve(c.Context(), of, port)
		},
	}
	c.Flags().IntVar(&port, "port", 0, "the port; 0 is any free one")
	workersFlag(c.Flags(), &workers, "runs at the same time; does not change results")
	limitFlags(c.Flags(), &limits)
	limits.Runs = servedRuns
	c.Flags().Lookup("max-runs").DefValue = fmt.Sprint(servedRuns)
	return c
}

// serve answers requests until the command is interrupted or its standard input closes.
func (a *app) serve(ctx context.Context, c serve.Config, port int) error {
	if info, err := os.Stat(c.Folder); err != nil {
		return fmt.Errorf("serve: there is no folder %s", c.Folder)
	} else if !info.IsDir() {
		return fmt.Errorf("serve: %s is a file; give the folder that it is in", c.Folder)
	}
	c.Program, c.Log = provenance(nil), a.io.Err
	s, err := serve.Listen(c, port)
	if err != nil {
		return failed(fmt.Errorf("serve: %w", err))
	}
	if a.io.Serving != nil {
		a.io.Serving()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if isPipe(a.io.In) {
		go func() {
			_, _ = io.Copy(io.Discard, a.io.In)
			cancel(errors.New("standard input is closed"))
		}()
	}
	fmt.Fprintf(a.io.Err, "The live page of %s, for this machine only. Open the link; Ctrl-C ends it.\n", c.Folder)
	if _, err := fmt.Fprintln(a.io.Out, s.Link()); err != nil {
		return failed(err)
	}
	if err := s.Serve(ctx); err != nil {
		return failed(fmt.Errorf("serve: %w", err))
	}
	fmt.Fprintf(a.io.Err, "simulate: serve has ended: %v\n", context.Cause(ctx))
	return nil
}

// isPipe reports whether a file, which may be nil, is a pipe or a socket. A terminal is not read: that would stop a
// program in the background, and its end is a signal.
func isPipe(file *os.File) bool {
	if file == nil {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0
}
