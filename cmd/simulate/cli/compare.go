package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tallynet/metrics/report/compare"
	"tallynet/metrics/report/page"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/scenarios/keys"
)

func (a *app) compareCommand() *cobra.Command {
	var format, file string
	c := &cobra.Command{
		Use: "compare A B [flags]", Short: "Show two results side by side, run by run",
		Long: `Two results side by side: folders, or their result.json. Runs are paired by method,
grid point and seed, and the ratios B/A are geometric means over the pairs. If both
results have the same target, the costs are those of reaching it. --page writes a page
like report.html that shows both, and says what changes from A to B.`,
		Example: `  simulate compare results/my results/slow --page slow.html`,
		Args:    need(2, 2, "a result"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.compare(args[0], args[1], format, file)
		},
	}
	formatFlag(c.Flags(), &format, "the tables", tableFormats())
	c.Flags().StringVar(&file, "page", "", "write a page of the comparison to this file")
	return c
}

// readResult reads a result from its folder or its result.json. The file alone has no targets but
// those that its runs reached.
func readResult(path string) (*result.Report, error) {
	info, err := os.Stat(path)
	if err == nil && info.Mode()&fs.ModeDevice != 0 {
		return nil, fmt.Errorf("compare: %s: it is a device; give the folder of a result, or its result.json", path)
	}
	if err == nil && info.IsDir() {
		report, err := result.ReadFolder(path)
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		return report, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("compare: %s: %w", path, keys.Cause(err))
	}
	report, err := result.ReadReport(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("compare: %s: %w", path, err)
	}
	return report, nil
}

func (a *app) compare(pathA, pathB, format, file string) error {
	if err := checkPage("compare: --page", "comparison", file); err != nil {
		return err
	}
	x, err := readResult(pathA)
	if err != nil {
		return err
	}
	y, err := readResult(pathB)
	if err != nil {
		return err
	}
	compared, err := compare.New(pathA, pathB, x, y)
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if file != "" {
		p := page.Comparison(compared, append([]string{"simulate"}, a.args...))
		if err := a.saving(func() error {
			return result.WriteFile(file, func(w io.Writer) error { return page.Write(w, p) })
		}); err != nil {
			return fmt.Errorf("compare: --page: %w", err)
		}
	}
	tables := compared.Tables
	if format == "csv" {
		tables = tables[:1]
	}
	return table.Document{Tables: tables}.Write(a.io.Out, format)
}

// checkPage returns an error if file exists and is not an earlier page of that kind.
func checkPage(flag, kind, file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s %s: there is no folder %s", flag, file, filepath.Dir(file))
	}
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s %s: %w", flag, file, keys.Cause(err))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s %s: it is not a file", flag, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, file, keys.Cause(err))
	}
	const head = 4096
	if !page.IsOf(kind, text[:min(len(text), head)]) {
		return fmt.Errorf("%s %s: the file exists and is not an earlier %s: move it, or give another name", flag, file, kind)
	}
	return nil
}
