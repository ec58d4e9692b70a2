package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"tallynet/scenarios/problems/data"
)

func (a *app) dataCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "data [list|get NAME]", Short: "Show where the data sets are, and whether they are complete",
		Args: need(0, 2, ""),
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 || args[0] == "list" && len(args) == 1:
			return a.listData()
		case args[0] == "get" && len(args) == 2 && args[1] == "mnist":
			return a.getData()
		case args[0] == "get" && len(args) == 2 && args[1] == "mushroom":
			return errors.New("data get: mushroom is part of this program: there is nothing to get")
		case args[0] == "get" && len(args) == 2 && args[1] == "fashion-mnist":
			return errors.New("data get: fashion-mnist is not fetched by this program: docs/data.md says where it " +
				"is; give its folder with problem.folder")
		case args[0] == "get" && len(args) == 1:
			return errors.New("data get: the data set is missing; there is: mnist")
		case args[0] == "get":
			return fmt.Errorf("data get: there is no data set %q; there is: mnist", args[1])
		}
		return fmt.Errorf("data: there is no %q; write data list or data get mnist", args[0])
	}
	return c
}

// listData prints where each data set is, and whether its files are complete.
func (a *app) listData() error {
	text := "mnist: 60,000 training and 10,000 test images of 28 x 28 pixels (LeCun, Cortes, Burges; CC BY-SA 3.0)\n"
	whole := false
	for _, s := range data.Status() {
		state := "complete, every sha256 matches"
		switch {
		case errors.Is(s.Err, fs.ErrNotExist):
			state = "missing"
		case s.Err != nil:
			state = s.Err.Error()
		default:
			whole = true
		}
		text += fmt.Sprintf("  %-14s %s: %s\n", s.Origin, s.Dir, state)
	}
	if !whole {
		text += "  simulate data get mnist fetches it.\n"
	}
	text += `
fashion-mnist: 60,000 training and 10,000 test images of 28 x 28 pixels (Xiao, Rasul, Vollgraf; MIT)
  in your own folder, which the scenario names in problem.folder; it is checked when it is read.
  docs/data.md says where it is published.

mushroom: 8,124 mushrooms with 125 inputs of 0 or 1 (Lincoff, Schlimmer; CC BY 4.0)
`
	state := "complete, its sha256 matches"
	if _, err := a.loader.Mushrooms(); err != nil {
		state = err.Error()
	}
	text += "  part of this program: " + state + "\n"
	_, err := fmt.Fprint(a.io.Out, text)
	return err
}

// getData downloads MNIST into the user's cache, where a program without Go finds it.
func (a *app) getData() error {
	source, err := data.FillCache(func(line string) { fmt.Fprintln(a.io.Err, line) })
	if err != nil {
		return failed(fmt.Errorf("data get: %w", err))
	}
	_, err = fmt.Fprintf(a.io.Out, "mnist is complete in %s\n", filepath.Clean(source.Dir))
	return err
}
