// Command mutate measures the tests: it changes one line of the program at a time and
// asks whether a test fails.
//
//	go -C .ci run ./mutate                       # 200 mutants, some of each package
//	go -C .ci run ./mutate -n 20 -only ^metrics  # of the packages whose folder matches
//	go -C .ci run ./mutate -seed 7 -within 2m    # other mutants, as many as there is time for
//	go -C .ci run ./mutate -n 12 -packages 2     # of two packages that the seed draws
//
// A mutant is one edit of one line: an operator exchanged, a term dropped, a constant
// raised, two arguments swapped, a statement removed. They are drawn with a seed, evenly
// over packages and kinds of edit. A small sample spends most of its time on building test
// binaries; with -packages fewer are built. What does not compile is replaced by the next mutant.
//
// All mutants are compiled at once, each as a copy of its function that the function
// hands over to when the mutant is on, by the -overlay of go test, so that no file of the
// tree changes. Test binaries are built once. Each test runs alone once without a mutant,
// which asks whether it passes and which mutants it reaches. A mutant then meets the tests
// that reach the edited statement, the quickest first: those of its own package, then
// those of the packages in plan.go that lean on it, up to the first failure. A test that
// goes beyond -limit has failed too, and one that takes ten times the CPU time that it
// takes without a mutant and 2 s more. What no test reaches has survived. Tests that pass
// without the copies only, such as those that count allocations, come last in their
// package; for them the mutant is compiled by itself.
//
// A mutant that survives is a test that is missing, or an edit that changes nothing that
// is promised. The latter are listed with their reasons in equivalent.txt and left out
// of the count. The command fails if fewer than -least percent of the others are killed
// and more than -spare survive.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// options are the flags of the command.
type options struct {
	count    int
	seed     uint64
	only     string        // a regular expression of folders
	packages int           // at most; 0 means all
	within   time.Duration // no mutant begins later; 0 means no limit
	limit    time.Duration // of the tests in one process
	least    float64       // percent killed
	spare    int           // survivors that do not count as a failure, however few mutants there were
}

func main() {
	var o options
	flag.IntVar(&o.count, "n", 200, "mutants to run")
	flag.Uint64Var(&o.seed, "seed", 1, "of the draw")
	flag.StringVar(&o.only, "only", "", "only packages whose folder matches this regular `expression`")
	flag.IntVar(&o.packages, "packages", 0, "draw so many of the packages first, and mutants of these; 0 means all")
	flag.DurationVar(&o.within, "within", 0, "begin no mutant after this time; 0 means no limit")
	flag.DurationVar(&o.limit, "limit", 2*time.Minute, "for what runs in one process")
	flag.Float64Var(&o.least, "least", 95, "percent of the mutants that must be killed")
	flag.IntVar(&o.spare, "spare", 0, "survivors that a small sample may have by chance")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// run draws mutants, judges each and prints what became of it.
func run(ctx context.Context, o options) error {
	known, err := readEquivalents("equivalent.txt")
	if err != nil {
		return err
	}
	groups, err := candidates(o.only)
	if err != nil {
		return err
	}
	groups = some(groups, o.packages, o.seed)
	c, err := newChecker(groups)
	if err != nil {
		return err
	}
	begin := time.Now()
	drawn, err := choose(draw(groups, o.seed), known, o.count, c.broken)
	if err != nil {
		return err
	}
	var mutants []mutant
	var counts [outcomes]int
	for _, v := range drawn {
		if v.what == survived {
			mutants = append(mutants, v.mutant)
			continue
		}
		counts[v.what]++
		if v.what == equivalent {
			fmt.Printf("%-10s %s\n", v.what, v.place())
		}
	}
	j, err := newJudge(mutants, o.limit)
	if err != nil {
		return err
	}
	defer j.close()
	over := func() bool { return o.within > 0 && time.Since(begin) > o.within }
	var survivors []verdict
	err = j.all(ctx, mutants, over, func(v verdict) {
		counts[v.what]++
		if v.what == survived {
			survivors = append(survivors, v)
		}
		fmt.Printf("%-10s %s\n", v.what, v.place())
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	return report(counts, survivors, o) // after an interrupt, of what was run
}

// report prints the survivors and the counts. It returns an error where too few mutants
// were killed, or none was run.
func report(counts [outcomes]int, survivors []verdict, o options) error {
	for _, v := range survivors {
		how := ""
		if !v.reached {
			how = ", and no test reaches it"
		}
		fmt.Printf("\nsurvived: %s%s\n%s", v.place(), how, v.key())
	}
	dead := counts[killed] + counts[timedOut]
	all := dead + counts[survived]
	if all == 0 {
		return errors.New("no mutant was run")
	}
	percent := 100 * float64(dead) / float64(all)
	fmt.Printf("\n%d of %d mutants killed (%.1f %%), %d of them by the time limit; left out: %d equivalent, %d that "+
		"do not compile\n", dead, all, percent, counts[timedOut], counts[equivalent], counts[broken])
	if percent < o.least && len(survivors) > o.spare {
		return fmt.Errorf("want at least %g %% killed", o.least)
	}
	return nil
}

// readEquivalents returns the keys of the mutants in a file that change nothing that is
// promised. Paragraphs are separated by an empty line: the key of a mutant in three
// lines, then the reason in one or more. A line that begins with # is a comment.
func readEquivalents(name string) (map[string]bool, error) {
	src, err := os.ReadFile(toolFile(name))
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for paragraph := range strings.SplitSeq(string(src), "\n\n") {
		paragraph = strings.TrimSpace(paragraph)
		if paragraph == "" || strings.HasPrefix(paragraph, "#") {
			continue
		}
		lines := strings.Split(paragraph, "\n")
		if len(lines) < 4 {
			return nil, fmt.Errorf("%s: want a place, a line before, a line after and a reason:\n%s", name, paragraph)
		}
		known[strings.Join(lines[:3], "\n")+"\n"] = true
	}
	return known, nil
}
