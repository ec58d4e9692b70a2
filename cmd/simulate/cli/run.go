package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"tallynet/metrics/report/parquet"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

type runFlags struct {
	out     string
	set     []string
	seed    uint64
	workers int
	format  string
	extent  extent
	trace   string
	quiet   bool
	strict  bool
	fresh   bool
	share   string
	part    study.Share // that share says
	parquet bool
	refine  bool
	last    bool // no study follows this one
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use: "run FILE... [flags]", Short: "Run scenarios: tables on standard output, a folder of results",
		Long: `Run scenarios. Tables go to standard output; result.json, CSV files, tables, plots and
a page go to a folder: results/NAME, or the one given with --out. An earlier result of a
scenario of the same name is replaced; if its values differ, the command says so first.
A result of any other scenario is never replaced. A terminal gets the answer and one
table in at most 25 lines; --details prints all.

Each run is stored in the folder, under runs/, as soon as it has ended. After an
interruption of any kind the same command keeps the finished runs and starts the others:
a run is repeated only if this program, a value that it depends on or a file that it
reads has changed.

Exit code: 0 done; 1 a claim fails, or a run diverged, stalled or failed (with several
seeds or a sweep these are results: 0, unless --strict); 2 bad usage or a bad file;
130 interrupted; finished runs are saved.`,
		Example: `  simulate run scenarios/quickstart.yaml
  simulate run my.yaml --set network.latency=10ms --set algorithms.DAGM.inner=5 --out slow`,
		Args: need(1, -1, "a scenario file"),
	}
	c.Flags().StringVar(&f.out, "out", "", "folder for the results (several files: one subfolder each)")
	c.Flags().StringArrayVar(&f.set, "set", nil, "change a value of the file, for example network.latency=10ms")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "use this seed instead of those in the file")
	workersFlag(c.Flags(), &f.workers, "cores: one for each run, the others help; does not change results")
	formatFlag(c.Flags(), &f.format, "standard output", []string{"text", "md", "csv", "json", "latex"})
	extentFlags(c, &f.extent)
	c.Flags().BoolVar(&f.fresh, "fresh", false, "repeat runs that are already stored")
	c.Flags().StringVar(&f.share, "share", "",
		"do one share, such as 3/20, of a study that several processes work on, and report nothing")
	c.Flags().StringVar(&f.trace, "trace", "",
		"write what the nodes did at the first grid point and seed, for ui.perfetto.dev, to this file")
	c.Flags().BoolVar(&f.parquet, "parquet", false, parquetUsage)
	c.Flags().BoolVar(&f.refine, "refine", false,
		"add values to the sweep where the answer changes, until they are within 5 %")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "no progress, no list of files")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with 1 if any run diverged, stalled or failed")
	limitFlags(c.Flags(), &a.limits)
	c.RunE = func(c *cobra.Command, files []string) error {
		if err := f.check(c.Flags().Changed("seed")); err != nil {
			return err
		}
		return a.run(c.Context(), files, f)
	}
	return c
}

func (f *runFlags) check(seeded bool) error {
	switch {
	case f.share != "" && f.trace != "":
		return errors.New("run: --share reports nothing, so there is no trace: give --trace to the run that reports")
	case f.share != "" && f.parquet:
		return errors.New("run: --share reports nothing, so there are no files: give --parquet to the run that reports")
	case f.share != "" && f.refine:
		return errors.New("run: --share reports nothing, so there is no answer to refine: give --refine to the run that " +
			"reports")
	case f.share != "" && f.fresh:
		return errors.New("run: --share and --fresh exclude each other: others would repeat what this process has stored")
	}
	if seeded {
		f.set = append(slices.Clone(f.set), fmt.Sprintf("seed=%d", f.seed))
	}
	var err error
	f.part, err = parseShare(f.share)
	return err
}

// files returns the names of the additional files that the flags ask for.
func (f *runFlags) files() []string {
	if f.parquet {
		return parquet.Names()
	}
	return nil
}

// run loads and builds all scenarios before the first of them runs.
func (a *app) run(ctx context.Context, files []string, f runFlags) error {
	var studies []*study.Study
	var folders []string
	for _, file := range files {
		s, err := a.load(file, f.set)
		if err != nil {
			return err
		}
		if f.refine && len(s.Sweep) == 0 {
			return fmt.Errorf("run: --refine adds values to a sweep, and %s has none: write sweep: {network.latency: "+
				"[1ms, 10ms]}, not points", file)
		}
		folder := f.out
		if folder == "" {
			folder = filepath.Join("results", folderName(s.Name))
		} else if len(files) > 1 {
			folder = filepath.Join(folder, folderName(s.Name))
		}
		if i := slices.Index(folders, folder); i >= 0 {
			return fmt.Errorf("run: the results of %s and %s would both go to %s: give them different names", files[i], file,
				folder)
		}
		study, err := study.New(s, &a.loader)
		if err != nil {
			return err
		}
		if !f.quiet {
			a.warnOfMemory(study, f.workers)
			for _, text := range study.First().Apart() {
				fmt.Fprintf(a.io.Err, "%s: %s\n", s.Name, text)
			}
		}
		studies, folders = append(studies, study), append(folders, folder)
	}
	if f.trace != "" && len(files) > 1 {
		return fmt.Errorf("run: --trace is one file, and there are %d scenarios: run them one by one", len(files))
	}
	a.io.busy(true)
	for i, study := range studies {
		if err := a.claimFolder(folders[i], study.Scenario, f.files()...); err != nil {
			return err
		}
	}
	code := codeDone
	for i, study := range studies {
		if f.share != "" {
			if err := a.runShare(ctx, study, folders[i], f); err != nil {
				return err
			}
			continue
		}
		if i > 0 && f.format != "json" && f.format != "csv" {
			if _, err := fmt.Fprintln(a.io.Out); err != nil {
				return err
			}
		}
		f.last = i == len(studies)-1
		c, err := a.runStudy(ctx, study, folders[i], f)
		if err != nil {
			return err
		}
		code = max(code, c)
	}
	if code != codeDone {
		return &exit{code: code}
	}
	return nil
}

// runStudy runs one scenario, saves its results and prints them.
func (a *app) runStudy(ctx context.Context, study *study.Study, folder string, f runFlags) (code int, err error) {
	saved, err := a.saveStudy(ctx, study, folder, saveOptions{workers: f.workers, fresh: f.fresh,
		quiet: f.quiet, brief: a.isBrief(f.format, f.extent), parquet: f.parquet, refine: f.refine})
	report := saved.report
	if report == nil {
		return 0, err
	}
	stopped := err
	a.io.busy(stopped == nil && !f.last)
	if f.format == "json" {
		err = report.WriteJSON(a.io.Out)
	} else {
		err = a.print(saved.shown, saved.folder, f.format, f.extent)
	}
	if err != nil {
		return 0, failed(err)
	}
	if !f.quiet && !a.isBrief(f.format, f.extent) {
		fmt.Fprintf(a.io.Err, "%s: %s\n", saved.folder, saved.files)
	}
	if stopped != nil {
		return 0, stopped
	}
	if f.trace != "" {
		if err := a.writeTrace(ctx, study, report, f.trace); err != nil {
			return 0, failed(err)
		}
	}
	isStudy := len(study.Scenario.Seeds) > 1 || study.Points() > 1
	if (f.strict || !isStudy) && slices.ContainsFunc(report.Runs, func(r result.Run) bool { return !r.Status.Ended() }) {
		return codeFailed, nil
	}
	if slices.ContainsFunc(report.Claims, func(c result.Claim) bool { return c.Wrong() }) {
		return codeFailed, nil
	}
	return codeDone, nil
}

// warnOfMemory prints a warning if memory allows fewer concurrent runs than wanted.
func (a *app) warnOfMemory(study *study.Study, wanted int) {
	most := min(wanted, study.Runs())
	if workers := study.Workers(wanted); workers < most {
		fmt.Fprintf(a.io.Err, "memory: the problems of %d runs at the same time need more than %s together; "+
			"%d at a time: --max-memory raises the limit\n", most, spec.Bytes(study.Scenario.Limits.Bytes), workers)
	}
}
