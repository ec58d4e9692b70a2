package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics/report/table"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// section is one list of the catalog.
type section struct {
	name    string
	entries []keys.Entry
}

func (a *app) sections() []section {
	c := a.catalog
	return []section{{"algorithms", catalog.Entries(c.Algorithms)}, {"problems", catalog.Entries(c.Problems)},
		{"topologies", catalog.Entries(c.Topologies)}, {"weights", catalog.Entries(c.Weights)},
		{"platforms", catalog.Entries(c.Platforms)}}
}

// entryNames returns the names of entries without their aliases.
func entryNames(entries []keys.Entry) []string {
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].Name
	}
	return names
}

func (a *app) listCommand() *cobra.Command {
	what := []string{"algorithms", "problems", "topologies", "weights", "platforms", "scenarios"}
	return &cobra.Command{
		Use: "list [" + strings.Join(what, "|") + "]", Short: "List what a scenario can name, and the scenario files here",
		Args: need(0, 1, ""),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && !slices.Contains(what, args[0]) {
				return fmt.Errorf("list: there are no %q%s", args[0], proposal(args[0], what))
			}
			if len(args) == 1 && args[0] == "scenarios" {
				return a.listScenarios()
			}
			separator, text := "", ""
			for _, s := range a.sections() {
				if len(args) == 1 && args[0] != s.name {
					continue
				}
				text += separator + s.name + "\n"
				separator = "\n"
				for _, e := range s.entries {
					text += item(e.Name, e.Summary, 21)
					for _, alias := range e.Aliases {
						text += item(alias.Name, "= "+e.Name+": "+alias.Summary, 21)
					}
				}
			}
			_, err := fmt.Fprint(a.io.Out, text)
			return err
		},
	}
}

// item formats a name and its description, wrapped and indented. The description of a name that is
// too long for its column starts on the next line.
func item(name, text string, indent int) string {
	pad := strings.Repeat(" ", indent-2)
	about := table.Wrapped(text, pad)
	head := "  " + name
	if gap := indent - len([]rune(head)); gap > 1 || text == "" {
		about = strings.TrimLeft(about, " ")
		head += strings.Repeat(" ", max(gap, 0))
	} else {
		head += "\n  " // Wrapped indents only the other lines in full
	}
	return strings.TrimRight(head+about, " ") + "\n"
}

// listScenarios lists the scenario files in the current folder and those in and below scenarios/ and papers/.
func (a *app) listScenarios() error {
	files, err := filepath.Glob("*.yaml")
	if err != nil {
		return err
	}
	for _, folder := range []string{"papers", "scenarios"} {
		below, err := filesIn(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		files = append(files, below...)
	}
	text := ""
	for _, file := range files {
		if filepath.Base(file) == keys.Registry {
			continue
		}
		s, err := a.load(file, nil)
		about := ""
		var wrong *keys.FileError
		switch {
		case err == nil:
			about = s.About
		case errors.As(err, &wrong) && wrong.Line > 0 && !errors.Is(err, fs.ErrPermission):
			about = "(invalid: " + wrong.Message + ")"
		default:
			about = "(" + err.Error() + ")"
		}
		text += item(file, about, 32)
	}
	if text == "" {
		text = "There are no scenario files (*.yaml) here or in scenarios/; simulate new FILE writes one.\n"
	}
	_, err = fmt.Fprint(a.io.Out, text)
	return err
}

// filesIn returns the scenario files in and below a folder.
func filesIn(folder string) (files []string, err error) {
	err = keys.EachFile(os.DirFS(folder), func(name string) error {
		files = append(files, filepath.Join(folder, filepath.FromSlash(name)))
		return nil
	})
	return files, err
}
