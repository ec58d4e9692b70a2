package cli

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tallynet/metrics/report/views"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// need checks that a command gets from least to most arguments. A negative most means any number.
// The text what names the missing argument in the error.
func need(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s: %s is missing: %s", c.Name(), what, c.UseLine())
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%s: %q is one argument too many: %s", c.Name(), args[most], c.UseLine())
		}
		return nil
	}
}

// proposal names the closest choice, or all choices if none is close.
func proposal(word string, names []string) string {
	if n := keys.Nearest(word, names); n != "" {
		return "; did you mean " + n + "?"
	}
	return "; there are: " + strings.Join(names, ", ")
}

// errValue rejects the value of a flag; flagError describes what the flag takes instead.
var errValue = errors.New("invalid value")

// flagError adds a suggestion to an error in the flags of a command.
func flagError(c *cobra.Command, err error) error {
	hint := ""
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f, value := invalid.GetFlag(), invalid.GetValue()
		asked := map[string]string{"uint64": fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64)),
			"int": "a whole number", "bool": "true or false"}[f.Value.Type()]
		if own, ok := f.Value.(*checked); ok {
			if asked = own.asked; own.words != nil {
				return fmt.Errorf("%s: --%s %s is not known%s", c.Name(), f.Name, value, proposal(value, own.words))
			}
		}
		if asked != "" {
			return fmt.Errorf("%s: --%s is %q; it must be %s", c.Name(), f.Name, value, asked)
		}
	}
	if missing, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if n := keys.Nearest(missing.GetSpecifiedName(), names); n != "" {
			hint = "; did you mean --" + n + "?"
		}
	}
	return fmt.Errorf("%s: %w%s (see %s --help)", c.Name(), err, hint, c.CommandPath())
}

// checked is the value of a flag that does not take any text.
type checked struct {
	text, kind string
	words      []string // that it takes; nil: see asked
	asked      string
	set        func(text string) bool // false: the text is not taken
}

func (c *checked) String() string { return c.text }

// Type names the values in the help.
func (c *checked) Type() string { return c.kind }

// Set takes a text.
func (c *checked) Set(text string) error {
	if !c.set(text) {
		return errValue
	}
	c.text = text
	return nil
}

// parquetUsage describes --parquet.
const parquetUsage = "also write runs.parquet and iterations.parquet, for pandas, R and DuckDB"

// tableFormats are the formats of commands that print only tables.
func tableFormats() []string { return []string{"text", "md", "csv", "latex"} }

// formatFlag adds --format, whose default is the first format.
func formatFlag(flags *pflag.FlagSet, format *string, what string, formats []string) {
	*format = formats[0]
	known := checked{text: *format, kind: "string", words: formats, set: func(text string) bool {
		*format = text
		return slices.Contains(formats, text)
	}}
	flags.Var(&known, "format", "format of "+what+": "+strings.Join(formats, ", "))
}

// extent is how much of a result is printed as text: all of it, or what fits a terminal.
type extent struct{ details, wide bool }

// extentFlags adds --details and --wide.
func extentFlags(c *cobra.Command, e *extent) {
	c.Flags().BoolVar(&e.details, "details", false, "print all tables on a terminal, too, as to a pipe or a file")
	c.Flags().BoolVar(&e.wide, "wide", false, "print the answer and its table with all columns, however wide")
	c.MarkFlagsMutuallyExclusive("details", "wide")
}

// isBrief reports whether what fits a terminal is printed.
func (a *app) isBrief(format string, e extent) bool {
	return format == "text" && (e.wide || a.io.Terminal && !e.details)
}

// print prints a result whose files are in the folder.
func (a *app) print(shown *views.StudyView, folder, format string, e extent) error {
	if a.isBrief(format, e) {
		return shown.WriteBrief(a.io.Out, filepath.Join(folder, "report.html"), e.wide)
	}
	return shown.Write(a.io.Out, format)
}

// countFlag adds a flag that takes a number of at least 1.
func countFlag(flags *pflag.FlagSet, n *int, name string, standard int, usage string) {
	*n = standard
	flags.Var(&checked{text: strconv.Itoa(standard), kind: "int", asked: "a whole number of at least 1",
		set: func(text string) bool {
			given, err := strconv.Atoi(text)
			*n = given
			return err == nil && given > 0
		}}, name, usage)
}

// workersFlag adds --workers, whose default is the number of cores.
func workersFlag(flags *pflag.FlagSet, n *int, usage string) {
	countFlag(flags, n, "workers", runtime.GOMAXPROCS(0), usage)
	flags.Lookup("workers").DefValue = "the number of cores"
}

// limitFlags adds the flags that limit what a scenario may use.
func limitFlags(flags *pflag.FlagSet, l *spec.Limits) {
	*l = spec.DefaultLimits()
	memory := checked{text: "8GiB", kind: "size", asked: "an amount of memory with its unit, as in 32GiB",
		set: func(text string) bool {
			given, err := keys.ParseSize(text)
			l.Bytes = int64(given)
			return err == nil && given > 0
		}}
	flags.Var(&memory, "max-memory",
		"the memory that a problem, its methods and its data files\nmay need at most; graphs and checks have fixed limits")
	flags.BoolVar(&l.Code, "allow-code", false, "run the Python code that the scenario names, as its author wrote it")
	countFlag(flags, &l.Runs, "max-runs", l.Runs, "the most runs that a study may have")
}
