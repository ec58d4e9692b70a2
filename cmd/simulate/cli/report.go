package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics"
	"tallynet/scenarios"
)

func (a *app) reportCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "report DIR... [flags]", Short: "Make tables, plots and the page again from stored results",
		Long: `Make the tables, plots and the page of a result again, from its result.json and CSV
files, which stay as they are: after an update of this program, or where some of the
files were lost. Nothing runs. The tables go to standard output too.`,
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
	result, err := metrics.ReadFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if _, missing := os.Stat(folder); missing != nil {
			return fmt.Errorf("report: there is no folder %s", folder)
		}
		return fmt.Errorf("report: %s is no whole result: %w; simulate run makes one", folder, err)
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	s, err := scenarios.Parse(filepath.Join(folder, "result.json"), result.Scenario, a.catalog, nil)
	if err != nil {
		return fmt.Errorf("report: the scenario in %s: %w", folder, err)
	}
	sum, err := summarize(s, result.Runs, result.Facts)
	if err != nil {
		return failed(err)
	}
	sum.claims, sum.papers = result.Claims, result.Tables
	files, notes, err := sum.files(result)
	if err != nil {
		return failed(err)
	}
	names := fileNames(files)
	if err := metrics.WriteFiles(folder, files, nil); err != nil {
		return failed(err)
	}
	for _, n := range notes {
		fmt.Fprintln(a.io.Err, "simulate: "+n)
	}
	if err := sum.write(a.io.Out, format); err != nil {
		return failed(err)
	}
	fmt.Fprintf(a.io.Err, "%s: %s\n", folder, strings.Join(names, ", "))
	return nil
}
