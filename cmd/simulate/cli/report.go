package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/result"
	"tallynet/scenarios"
)

func (a *app) reportCommand() *cobra.Command {
	var format string
	var figures figureSize
	var parquet bool
	c := &cobra.Command{
		Use: "report DIR... [flags]", Short: "Regenerate tables, plots and the page from stored results",
		Long: `Regenerate the tables, plots and the page of a result from its result.json and CSV
files, which stay as they are: after an update of this program, or when some of the
files were lost. Nothing runs. The tables go to standard output too. The pages of the
papers are made again by simulate verify --saved.`,
		Example: `  simulate report results/quickstart
  simulate report results/quickstart --width 246 --font-size 9`,
		Args: need(1, -1, "a folder with a result"),
		RunE: func(_ *cobra.Command, folders []string) error {
			if err := checkFormat("report", format); err != nil {
				return err
			}
			if err := figures.check(); err != nil {
				return err
			}
			for i, folder := range folders {
				if i > 0 && format != "csv" {
					if _, err := fmt.Fprintln(a.io.Out); err != nil {
						return failed(err)
					}
				}
				if err := a.report(folder, format, figures, parquet); err != nil {
					return err
				}
			}
			return nil
		},
	}
	formatFlag(c, &format)
	c.Flags().BoolVar(&parquet, "parquet", false, parquetUsage)
	c.Flags().Float64Var(&figures.width, "width", 0,
		"width of the figures in points, as 246 for a column (default: 300 to 516)")
	c.Flags().Float64Var(&figures.font, "font-size", 0, "size of the figures' letters in points (default: 8)")
	return c
}

// figureSize is how large figures and their letters are, in points; 0: as they are by themselves.
type figureSize struct{ width, font float64 }

func (f figureSize) check() error {
	if f.width != 0 && !(f.width >= 100 && f.width <= 3000) {
		return fmt.Errorf("report: --width is %g; want 100 to 3000 points", f.width)
	}
	if f.font != 0 && !(f.font >= 4 && f.font <= 40) {
		return fmt.Errorf("report: --font-size is %g; want 4 to 40 points", f.font)
	}
	return nil
}

func (a *app) report(folder, format string, figures figureSize, parquet bool) error {
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
	shown, err := present.Show(s, report)
	if err != nil {
		return failed(err)
	}
	shown.FigureWidth, shown.FontSize = figures.width, figures.font
	files, notes, err := madeFiles(s, report, shown)
	if err != nil {
		return failed(err)
	}
	if parquet {
		files = append(files, report.ParquetFiles()...)
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
