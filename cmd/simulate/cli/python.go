package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tallynet/scenarios/python"
)

func (a *app) pythonCommand() *cobra.Command {
	return &cobra.Command{
		Use: "python DIR", Short: "Write tallynet.py, for problems and methods in Python and for results in notebooks",
		Long: `Write tallynet.py into a folder. It needs only numpy. With it, editors complete what
a method in Python can call, and scripts and notebooks read results:

  import tallynet
  r = tallynet.load("results/quickstart")
  r.runs, r.curves, r.summary

Scenarios do not need the file: this program has its own.`,
		Example: "  simulate python .",
		Args:    need(1, 1, "a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return failed(err)
			}
			path := filepath.Join(args[0], "tallynet.py")
			if err := writeText(path, string(python.Library)); err != nil {
				return failed(err)
			}
			_, err := fmt.Fprintln(a.io.Out, path)
			return err
		},
	}
}
