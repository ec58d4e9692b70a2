package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// limitFlags adds the flags that raise or lower what a scenario may take.
func limitFlags(flags *pflag.FlagSet, l *spec.Limits) {
	*l = spec.DefaultLimits()
	flags.Var((*memoryFlag)(&l.Bytes), "max-memory",
		"the memory that a problem, its methods and its data files\nmay need at most; graphs and checks have fixed limits")
	flags.Lookup("max-memory").DefValue = "8GiB"
	flags.BoolVar(&l.Code, "allow-code", false, "run the Python code that the scenario names, as its author wrote it")
	flags.IntVar(&l.Runs, "max-runs", l.Runs, "the most runs that a study may have")
}

// memoryFlag is an amount of memory with its unit.
type memoryFlag int64

func (m *memoryFlag) String() string { return strings.ReplaceAll(spec.Bytes(int64(*m)), " ", "") }

// Type names the values in the help.
func (m *memoryFlag) Type() string { return "size" }

// Set reads an amount above 0.
func (m *memoryFlag) Set(text string) error {
	n, err := keys.ParseSize(text)
	if err != nil {
		return err
	}
	if n < 1 {
		return fmt.Errorf("want a size above 0, as in 32GiB")
	}
	*m = memoryFlag(n)
	return nil
}

// checkRuns returns an error unless a study may have some runs.
func checkRuns(command string, l spec.Limits) error {
	if l.Runs < 1 {
		return fmt.Errorf("%s: --max-runs is %d; it must be at least 1", command, l.Runs)
	}
	return nil
}
