package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics/result"
	"tallynet/scenarios"
)

func (a *app) reportCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "report DIR... [flags]", Short: "Regenerate tables, plots and the page from stored results",
		Long: `Regenerate the tables, plots and the page of a result from its result.json and CSV
files, which stay as they are: after an update of this program, or when some of the
files were lost. Nothing runs. The tables go to standard output too. The pages of the
papers are made again by simulate verify --saved.`,
		Example: "  simulate report results/quickstart",
		Args:    need(1, -1, "a folder with a result"),
		RunE: func(_ *cobra.Command, folders []string) error {
			if err := checkFormat("report", format); err != nil {
				return err
			}
			for i, folder := range folders {
				if i > 0 && format != "csv" {
					if _, err := fmt.Fprintln(a.io.Out); err != nil {
						return failed(err)
					}
				}
				if err := a.report(folder, format); err != nil {
					return err
				}
			}
			return nil
		},
	}
	formatFlag(c, &format)
	return c
}

func (a *app) report(folder, format string) error {
	report, err := result.ReadFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if _, missing := os.Stat(folder); missing != nil {
			return fmt.Errorf("report: there is no folder %s", folder)
		}
		return fmt.Errorf("report: %s is not a complete result: %w; simulate run makes one", folder, err)
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	s, err := scenarios.ParseResolved(filepath.Join(folder, "result.json"), report.Scenario, a.catalog)
	if err != nil {
		return fmt.Errorf("report: the scenario in %s: %w", folder, err)
	}
	shown, err := show(s, report)
	if err != nil {
		return failed(err)
	}
	files, notes, err := madeFiles(s, report, shown)
	if err != nil {
		return failed(err)
	}
	names := fileNames(files)
	if err := checkFree(folder, names, report, "does not belong to the result there"); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := result.WriteFiles(folder, files, nil); err != nil {
		return failed(err)
	}
	for _, n := range notes {
		fmt.Fprintln(a.io.Err, "simulate: "+n)
	}
	if err := shown.Write(a.io.Out, format); err != nil {
		return failed(err)
	}
	fmt.Fprintf(a.io.Err, "%s: %s\n", folder, strings.Join(names, ", "))
	return nil
}
