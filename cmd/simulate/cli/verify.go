package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

type verifyFlags struct {
	out     string
	pages   string
	saved   bool
	small   bool
	workers int
	format  string
	quiet   bool
	limits  spec.Limits
}

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use: "verify FILE|DIR... [flags]", Short: "Run scenarios and check every claim in them",
		Long: `Run scenarios and check their claims. For each claim: what the paper says and where,
the printed value, the measured value, and the verdict. A folder means all *.yaml files
in and below it that have claims. Tables of the papers are reproduced too.

With --out, the results of each scenario are saved in a subfolder of that folder, and
after an interruption the same command keeps the finished runs. --small runs the small
form of each scenario, which takes seconds.

--pages writes an index of all tables and figures of the papers and a page for each
paper, with tables in LaTeX and pictures, into a folder. With --saved nothing runs: claims,
tables and figures come from the runs that earlier commands saved with the same --out, even
with an older program; a scenario whose runs are missing, or were made before it was
changed, is reported as such, and its claims are undecided.

Exit code: 0 every claim holds, or differs as expected; 1 a claim fails, is undecided,
or holds though it was expected to differ; 2 bad usage or a bad file; 130 interrupted.`,
		Example: "  simulate verify scenarios/\n  simulate verify scenarios/ --out results/papers --pages docs/reproduction",
		Args:    need(1, -1, "a scenario file or a folder of them"),
	}
	formatFlag(c.Flags(), &f.format, "the tables", tableFormats())
	c.Flags().StringVar(&f.out, "out", "", "save the results in subfolders of this one (default: do not save)")
	c.Flags().StringVar(&f.pages, "pages", "", "write the pages of the papers into this folder")
	c.Flags().BoolVar(&f.saved, "saved", false, "run nothing: use the runs that are saved in --out")
	c.Flags().BoolVar(&f.small, "small", false, "run the small form of each scenario")
	workersFlag(c.Flags(), &f.workers, "cores: one for each run, the others help; does not change results")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "no progress")
	limitFlags(c.Flags(), &f.limits)
	c.RunE = func(c *cobra.Command, paths []string) error {
		if f.saved && f.out == "" {
			return errors.New("verify: --saved needs --out, the folder with the saved results")
		}
		a.limits = f.limits
		return a.verify(c.Context(), paths, f)
	}
	return c
}

// withClaims loads the scenarios that the paths name. A file must have claims. In a folder, files
// without claims are skipped.
func (a *app) withClaims(paths []string, small bool) ([]*spec.Scenario, error) {
	var all []*spec.Scenario
	seen := map[string]bool{}
	for _, path := range paths {
		files, folder := []string{path}, false
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			folder = true
			if files, err = filesIn(path); err != nil {
				return nil, fmt.Errorf("verify: %s: %w", path, err)
			}
		}
		found := false
		for _, file := range files {
			var s *spec.Scenario
			var err error
			if small {
				s, err = a.limited(spec.LoadSmall(file, a.catalog))
			} else {
				s, err = a.load(file, nil)
			}
			if err != nil {
				return nil, err
			}
			if len(s.Claims) == 0 && s.PaperID == "" {
				continue
			}
			found = true
			if clean := filepath.Clean(file); seen[clean] {
				continue
			} else {
				seen[clean] = true
			}
			all = append(all, s)
			if small || len(s.Variants) < 2 {
				continue
			}
			for _, v := range s.Variants[1:] {
				under, err := a.limited(spec.LoadVariant(file, a.catalog, v, false))
				if err != nil {
					return nil, fmt.Errorf("%w (under the reading %s)", err, v)
				}
				under.Name += " " + v.Apart(s.Variants[0]).String()
				all = append(all, under)
			}
		}
		switch {
		case found:
		case folder:
			return nil, fmt.Errorf("verify: no scenario in %s has claims", path)
		default:
			return nil, fmt.Errorf("verify: %s has no claims; simulate run runs it", path)
		}
	}
	return all, nil
}

func (a *app) verify(ctx context.Context, paths []string, f verifyFlags) error {
	all, err := a.withClaims(paths, f.small)
	if err != nil {
		return err
	}
	if err := a.prepare(all, f); err != nil {
		return err
	}
	a.io.busy(true)
	var checked []papers.Verified
	for i, s := range all {
		v, err := a.decide(ctx, s, f, fmt.Sprintf("%d/%d %s", i+1, len(all), s.Name))
		if err != nil {
			return err
		}
		checked = append(checked, v)
		if v.Missing != "" {
			fmt.Fprintf(a.io.Err, "simulate: %s: %s\n", s.Name, v.Missing)
		}
		if f.format != "csv" {
			err = a.printClaims(&v, f.format, i == 0)
		}
		if err != nil {
			return failed(err)
		}
	}
	for i := range checked {
		if p := checked[i].Paper; p != nil {
			p.Whole = wholePaper(all, filepath.Dir(checked[i].File))
		}
	}
	pages, err := papers.NewPages(checked, "simulate "+strings.Join(a.args, " "), f.small)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	total := papers.CountClaims(pages.Claims())
	if f.format == "csv" {
		err = papers.ClaimSheet(checked).WriteCSV(a.io.Out)
	} else {
		mark := map[string]string{"md": "**Total:** ", "latex": "% total: ", "text": "total: "}[f.format]
		_, err = fmt.Fprintf(a.io.Out, "\n%s%s, %s: %s\n", mark, quantity.Plural(len(all), "scenario"),
			quantity.Plural(total.All(), "claim"), total)
		_, wrong := io.WriteString(a.io.Out, table.FactLines(pages.Tallies(), f.format))
		err = errors.Join(err, wrong)
	}
	if f.pages != "" {
		err = errors.Join(err, a.writePages(f.pages, pages))
	}
	if err != nil {
		return failed(err)
	}
	if !total.Good() || !f.small && pages.Uncovered() {
		return &exit{code: codeFailed}
	}
	return nil
}

// wholePaper reports whether all scenarios of a folder that reproduce its paper are among those that were checked.
func wholePaper(all []*spec.Scenario, folder string) bool {
	files, err := filesIn(folder)
	return err == nil && !slices.ContainsFunc(files, func(file string) bool {
		return !slices.ContainsFunc(all, func(s *spec.Scenario) bool { return filepath.Clean(s.File()) == filepath.Clean(file) })
	})
}

// printClaims writes the claims and tables of a scenario.
func (a *app) printClaims(v *papers.Verified, format string, first bool) error {
	title := fmt.Sprintf("%s (%s): %s", v.Scenario, v.File, papers.CountClaims(v.Claims))
	tables := []table.Table{papers.ClaimsTable(title, v.Claims, format == "text")}
	for k := range v.Tables {
		tables = append(tables, papers.PaperTable(&v.Tables[k]))
	}
	var err error
	if !first {
		_, err = fmt.Fprintln(a.io.Out)
	}
	return errors.Join(err, table.Document{Tables: tables}.Write(a.io.Out, format))
}

// prepare checks that all results can be written, before hours of computing depend on it.
func (a *app) prepare(all []*spec.Scenario, f verifyFlags) error {
	if f.pages != "" {
		if err := a.checkPages(f.pages); err != nil {
			return err
		}
	}
	if f.out == "" {
		return nil
	}
	var folders []string
	for i, s := range all {
		folder := filepath.Join(f.out, folderName(s.Name))
		if k := slices.Index(folders, folder); k >= 0 {
			return fmt.Errorf("verify: the results of %s and %s would both go to %s: give them different names", all[k].File(),
				all[i].File(), folder)
		}
		folders = append(folders, folder)
		if f.saved {
			continue
		}
		if err := a.claimFolder(folder, s); err != nil {
			return err
		}
	}
	return nil
}

// decide runs one scenario and checks its claims.
func (a *app) decide(ctx context.Context, s *spec.Scenario, f verifyFlags, title string) (papers.Verified, error) {
	folder := filepath.Join(f.out, folderName(s.Name))
	if f.saved {
		return a.saved(s, folder)
	}
	st, err := study.New(s, &a.loader)
	if err != nil {
		return papers.Verified{}, err
	}
	if f.out != "" {
		saved, err := a.saveStudy(ctx, st, folder, saveOptions{workers: f.workers, quiet: f.quiet, title: title})
		if err != nil {
			return papers.Verified{}, err
		}
		return verified(s, saved.report, saved.took, "")
	}
	since := stopwatch(a.io.Now)
	bars := newProgress(a.io, f.quiet, title)
	runs, err := st.Run(ctx, study.Options{Workers: f.workers, Notify: bars.notify,
		Leave: a.io.Leave})
	bars.end()
	if err != nil && ctx.Err() != nil {
		return papers.Verified{}, fmt.Errorf("verify: %s: %w", s.Name, errInterrupted)
	}
	if err != nil {
		return papers.Verified{}, failed(err)
	}
	return verified(s, &result.Report{Runs: runs, Provenance: a.provenance()}, since(), "")
}
