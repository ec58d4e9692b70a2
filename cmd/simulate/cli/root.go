package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"tallynet/scenarios/keys"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "simulate",
		Short: "Simulate decentralized optimization on networks, and count what it costs",
		Long: `Simulate decentralized optimization on networks, and count what it costs:
iterations, rounds, vector and matrix bytes, oracle calls and simulated time.

Start with:   simulate new my.yaml && simulate run my.yaml`,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("there is no command %q%s", args[0], proposal(args[0], commandNames(c)))
		},
	}
	version := root.Flags().Bool("version", false, "print the version, like the command version")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *version {
			return a.version()
		}
		return c.Help()
	}
	root.SetOut(a.io.Out)
	root.SetErr(a.io.Err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Use: "help [COMMAND]", Short: "Show what a command does", Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			found, _, err := c.Root().Find(args)
			if err != nil || found == c.Root() && len(args) > 0 {
				return fmt.Errorf("there is no command %q%s", args[0], proposal(args[0], commandNames(c.Root())))
			}
			return found.Help()
		}})
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(a.runCommand(), a.verifyCommand(), a.predictCommand(), a.topologyCommand(), a.compareCommand(),
		a.listCommand(), a.describeCommand(), a.newCommand(), a.dataCommand(), a.schemaCommand(), a.versionCommand(),
		a.reportCommand(), a.serveCommand(), a.pythonCommand(), a.statusCommand(), a.submitCommand(),
	)
	for _, c := range root.Commands() {
		c.Flags().SortFlags = false
		c.DisableFlagsInUseLine = true
	}
	return root
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError says which flag was probably meant.
func flagError(c *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	hint := ""
	if errors.As(err, &invalid) {
		if asked := askedFor(invalid.GetFlag()); asked != "" {
			return fmt.Errorf("%s: --%s is %q; it must be %s", c.Name(), invalid.GetFlag().Name, invalid.GetValue(), asked)
		}
	}
	if errors.As(err, &missing) {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if n := keys.Nearest(missing.GetSpecifiedName(), names); n != "" {
			hint = "; did you mean --" + n + "?"
		}
	}
	return fmt.Errorf("%s: %w%s (see %s --help)", c.Name(), err, hint, c.CommandPath())
}

// askedFor says what a flag takes, or "" for any text.
func askedFor(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "uint64":
		return fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64))
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	case "size":
		return "an amount of memory with its unit, as in 32GiB"
	}
	return ""
}

// need checks the number of arguments, from least to most; most < 0 is any number. what
// names the missing argument.
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

// proposal names what was probably meant, or all choices.
func proposal(word string, names []string) string {
	if n := keys.Nearest(word, names); n != "" {
		return "; did you mean " + n + "?"
	}
	return "; there are: " + strings.Join(names, ", ")
}
