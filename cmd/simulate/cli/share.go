package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics/report/quantity"
	"tallynet/scenarios/study"
)

// parseShare parses a share such as 3/20. The empty text means the whole study.
func parseShare(text string) (study.Share, error) {
	if text == "" {
		return study.Share{}, nil
	}
	index, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || i < 1 || n < i {
		return study.Share{}, fmt.Errorf("run: --share is %q; want a part and how many there are, from 1/20 to 20/20",
			text)
	}
	return study.Share{Index: i, Of: n}, nil
}

// runShare runs a share of a study and stores its runs in the folder, for a later run that reports.
func (a *app) runShare(ctx context.Context, st *study.Study, folder string, f runFlags) error {
	store, program, err := a.openStore(folder)
	if err != nil {
		return failed(err)
	}
	bars := newProgress(a.io, f.quiet, "share "+f.share)
	done := 0
	_, stopped := st.Run(ctx, study.Options{Workers: f.workers, Store: store, Program: program, Leave: a.io.Leave,
		Share: f.part,
		Notify: func(e study.Event) {
			if e.Done != nil && !e.Stored {
				done++
			}
			bars.notify(e)
		}})
	bars.end()
	standing, err := st.Standing(store, program)
	if err != nil {
		return failed(err)
	}
	if _, err := fmt.Fprintf(a.io.Out, "%s: share %s did %s; %s\n", st.Scenario.Name, f.share,
		quantity.Plural(done, "run"),
		standingText(standing)); err != nil {
		return err
	}
	if stopped != nil && ctx.Err() != nil {
		return fmt.Errorf("%s: %w; finished runs are kept in %s", st.Scenario.Name, errInterrupted, store.Folder())
	}
	return failed(stopped)
}

// standingText describes the progress of a study.
func standingText(s study.Standing) string {
	text := fmt.Sprintf("%d of %s stored", s.Stored, quantity.Plural(s.Runs, "run"))
	if s.Trials > 0 {
		text += fmt.Sprintf(", %d of %s of tunings", s.Tried, quantity.Plural(s.Trials, "trial"))
	}
	if s.Claims > 0 {
		text += fmt.Sprintf(", %d under way", s.Claims)
	}
	return text
}

func (a *app) statusCommand() *cobra.Command {
	var out string
	var set []string
	c := &cobra.Command{
		Use: "status FILE [flags]", Short: "Show the progress of a study that several processes or machines share",
		Long: `Say how many runs of a study are stored in its folder, and how many are under way in
processes that share it (simulate run --share). The program and the scenario must be those of
these processes: runs of others do not count.`,
		Example: "  simulate status my.yaml",
		Args:    need(1, 1, "a scenario file"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := a.load(args[0], set)
			if err != nil {
				return err
			}
			st, err := study.New(s, &a.loader)
			if err != nil {
				return err
			}
			if out == "" {
				out = filepath.Join("results", folderName(s.Name))
			}
			store, program, err := a.openStore(out)
			if err != nil {
				return failed(err)
			}
			standing, err := st.Standing(store, program)
			a.dropFolders() // openStore may have created them
			if err != nil {
				return failed(err)
			}
			_, err = fmt.Fprintf(a.io.Out, "%s: %s\n", s.Name, standingText(standing))
			return err
		},
	}
	c.Flags().StringVar(&out, "out", "", "the folder of the results")
	c.Flags().StringArrayVar(&set, "set", nil, "change a value of the file, as with run")
	limitFlags(c.Flags(), &a.limits)
	return c
}
