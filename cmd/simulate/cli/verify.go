package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/scenarios"
)

type verifyFlags struct {
	workers int
	format  string
	quiet   bool
}

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use: "verify FILE|DIR... [flags]", Short: "Run scenarios and check every claim in them",
		Long: `Run scenarios and check their claims: the paper's words and place, what is printed
there, what was measured, and whether it holds. A folder stands for its *.yaml files
that have claims. Nothing is saved; simulate run saves, and checks the claims too.

Exit code: 0 every claim holds, or differs as expected; 1 a claim fails, is undecided,
or holds though it was expected to differ; 2 bad usage or a bad file; 130 interrupted.`,
		Example: "  simulate verify scenarios/",
		Args:    need(1, -1, "a scenario file or a folder of them"),
	}
	formatFlag(c, &f.format)
	c.Flags().IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "runs at the same time; changes no result")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "no progress")
	c.Flags().Lookup("workers").DefValue = "the number of cores"
	c.RunE = func(c *cobra.Command, paths []string) error {
		if f.workers < 1 {
			return fmt.Errorf("verify: --workers is %d; it must be at least 1", f.workers)
		}
		if err := checkFormat("verify", f.format); err != nil {
			return err
		}
		return a.verify(c.Context(), paths, f)
	}
	return c
}

// withClaims loads the scenarios that the paths name. A file must have claims; of a
// folder those are taken that have.
func (a *app) withClaims(paths []string) ([]*scenarios.Scenario, error) {
	var all []*scenarios.Scenario
	seen := map[string]bool{}
	for _, path := range paths {
		files, folder := []string{path}, false
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			folder = true
			if files, err = filepath.Glob(filepath.Join(globQuoted(path), "*.yaml")); err != nil {
				return nil, fmt.Errorf("verify: %s: %w", path, err)
			}
		}
		found := false
		for _, file := range files {
			s, err := scenarios.Load(file, a.catalog, nil)
			if err != nil {
				return nil, err
			}
			if len(s.Claims) == 0 {
				continue
			}
			found = true
			if clean := filepath.Clean(file); !seen[clean] {
				seen[clean] = true
				all = append(all, s)
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

// globQuoted takes the special characters of a pattern by their word.
func globQuoted(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func (a *app) verify(ctx context.Context, paths []string, f verifyFlags) error {
	all, err := a.withClaims(paths)
	if err != nil {
		return err
	}
	var total claimTally
	sheet := render.Table{Columns: append([]render.Column{{Name: "scenario"}, {Name: "source"}}, append(claimColumns(), render.Column{Name: "why"})...)}
	for i, s := range all {
		claims, err := a.decide(ctx, s, f)
		if err != nil {
			return err
		}
		t := tally(claims)
		total = total.plus(t)
		if f.format == "csv" {
			for k := range claims {
				sheet.Rows = append(sheet.Rows, sheetRow(s.Name, &claims[k]))
			}
			continue
		}
		title := fmt.Sprintf("%s (%s): %s", s.Name, s.File(), t)
		if err := a.printClaims(claimsTable(title, claims, f.format == "text"), f.format, i > 0); err != nil {
			return failed(err)
		}
	}
	if f.format == "csv" {
		err = sheet.WriteCSV(a.io.Out)
	} else {
		mark := map[string]string{"md": "**Total:** ", "latex": "% total: ", "text": "total: "}[f.format]
		_, err = fmt.Fprintf(a.io.Out, "\n%s%s, %s: %s\n", mark, plural(len(all), "scenario"), plural(total.all(), "claim"), total)
	}
	if err != nil {
		return failed(err)
	}
	if !total.good() {
		return &exit{code: codeFailed}
	}
	return nil
}

// decide runs one scenario and returns its claims with their verdicts.
func (a *app) decide(ctx context.Context, s *scenarios.Scenario, f verifyFlags) ([]metrics.Claim, error) {
	study, err := scenarios.NewStudy(s, &a.loader)
	if err != nil {
		return nil, err
	}
	bars := newProgress(a.io, f.quiet)
	runs, err := study.Run(ctx, scenarios.Options{Workers: f.workers, Notify: bars.notify})
	bars.end()
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("verify: %s: %w", s.Name, errInterrupted)
	}
	if err != nil {
		return nil, failed(err)
	}
	return study.Claims(runs), nil
}

func (a *app) printClaims(t render.Table, format string, apart bool) error {
	var err error
	if apart {
		_, err = fmt.Fprintln(a.io.Out)
	}
	return errors.Join(err, writeTables(a.io.Out, format, []render.Table{t}))
}

// sheetRow is a claim on one line, for machines.
func sheetRow(scenario string, c *metrics.Claim) []render.Cell {
	printed := ""
	if c.Printed != nil {
		printed = printedText(c)
	}
	cells := []render.Cell{render.Text(scenario), render.Text(c.Source), render.Text(c.Text), render.Text(printed)}
	return append(cells, render.Text(strings.Join(measuredParts(c, fullNumber), "; ")), render.Text(c.Outcome()), render.Text(reasonOf(c)))
}
