package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tallynet/metrics/result"
	"tallynet/metrics/views"
)

func (a *app) compareCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "compare A B [flags]", Short: "Two results side by side, run by run",
		Long: `Two results side by side: folders, or their result.json. Runs are paired by method,
grid point and seed, and the ratios B/A are geometric means over the pairs. If both
results have the same target, the costs are those of reaching it.`,
		Args: need(2, 2, "a result"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat("compare", format); err != nil {
				return err
			}
			return a.compare(args[0], args[1], format)
		},
	}
	formatFlag(c, &format)
	return c
}

// readResult reads a folder or a result.json. The latter knows about targets only what its
// runs say.
func readResult(path string) (*result.Report, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		report, err := result.ReadFolder(path)
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		return report, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("compare: %s: %w", path, cause(err))
	}
	report, err := result.ReadReport(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("compare: %s: %w", path, err)
	}
	return report, nil
}

func (a *app) compare(pathA, pathB, format string) error {
	x, err := readResult(pathA)
	if err != nil {
		return err
	}
	y, err := readResult(pathB)
	if err != nil {
		return err
	}
	tables, err := views.Compare(pathA, pathB, x, y)
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if format == "csv" {
		tables = tables[:1]
	}
	return views.WriteTables(a.io.Out, format, tables)
}
