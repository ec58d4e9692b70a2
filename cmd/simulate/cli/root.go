package cli

import (
	"fmt"

	"github.com/spf13/cobra"
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
		for _, c := range append(c.Commands(), c) {
			c.Flags().SortFlags = false
			c.DisableFlagsInUseLine = true
		}
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
