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
	"tallynet/metrics/report/parquet"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/views"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

func (a *app) reportCommand() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use: "report DIR... [flags]", Short: "Regenerate tables, plots and the page from stored results",
		Long: `Regenerate the tables, plots and the page of a result from its result.json and CSV
files, which stay as they are: after an update of this program, or when some of the
files were lost. Nothing runs. The tables go to standard output too. The pages of the
papers are made again by simulate verify --saved.

Several folders, or a folder with results somewhere below it, get an index as well: a
page over all of them, and a list on standard output in place of the tables.`,
		Example: `  simulate report results/quickstart
  simulate report results
  simulate report results/quickstart --width 246 --font-size 9`,
		Args: need(1, -1, "a folder with a result"),
		RunE: func(_ *cobra.Command, folders []string) error {
			if err := f.figures.check(); err != nil {
				return err
			}
			found, err := resultsIn(folders)
			if err != nil {
				return fmt.Errorf("report: %w", err)
			}
			if f.index != "" || len(folders) > 1 || found[0] != folders[0] {
				return a.reportAll(folders, found, f)
			}
			shown, err := a.report(folders[0], f)
			if err != nil {
				return err
			}
			return failed(a.print(shown, folders[0], f.format, f.extent))
		},
	}
	formatFlag(c.Flags(), &f.format, "the tables", tableFormats())
	extentFlags(c, &f.extent)
	c.Flags().BoolVar(&f.parquet, "parquet", false, parquetUsage)
	c.Flags().Float64Var(&f.figures.width, "width", 0,
		"width of the figures in points, as 246 for a column (default: 300 to 516)")
	c.Flags().Float64Var(&f.figures.font, "font-size", 0, "size of the figures' letters in points (default: 8)")
	c.Flags().StringVar(&f.index, "index", "",
		"the index of several results (default: index.html in the folder that they all are in)")
	return c
}

type reportFlags struct {
	format  string
	extent  extent
	figures figureSize
	parquet bool
	index   string
}

// figureSize is the width of figures and the size of their letters in points; 0 means the default.
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

// report regenerates the files of one result and returns the tables to print.
func (a *app) report(folder string, f reportFlags) (*views.StudyView, error) {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("report: %s is not a folder; give the one that simulate run wrote", folder)
	}
	report, err := result.OpenFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if _, missing := os.Stat(folder); missing != nil {
			return nil, fmt.Errorf("report: there is no folder %s", folder)
		}
		return nil, fmt.Errorf("report: %s is not a complete result: %w; simulate run makes one", folder, err)
	}
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer sparing(len(report.Runs))()
	s, err := spec.ParseResolved(filepath.Join(folder, "result.json"), report.Scenario, a.catalog)
	if err != nil {
		return nil, fmt.Errorf("report: the scenario in %s: %w", folder, err)
	}
	study, err := study.FromRuns(s)
	if err != nil {
		return nil, failed(err)
	}
	shown, err := present.Show(study, report)
	if err != nil {
		return nil, failed(err)
	}
	shown.FigureWidth, shown.FontSize = f.figures.width, f.figures.font
	files, notes, err := madeFiles(study, report, shown)
	if err != nil {
		return nil, failed(err)
	}
	if f.parquet {
		files = append(files, parquet.Files(report)...)
	}
	names := fileNames(files)
	if err := checkFree(folder, names, report, "does not belong to the result there"); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if err := a.saving(func() error { return a.io.writeFiles(folder, files, nil) }); err != nil {
		return nil, err
	}
	if a.isBrief(f.format, f.extent) {
		return shown, nil
	}
	for _, n := range notes {
		fmt.Fprintln(a.io.Err, "simulate: "+n)
	}
	fmt.Fprintf(a.io.Err, "%s: %s\n", folder, strings.Join(names, ", "))
	return shown, nil
}
