package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tallynet/scenarios/spec"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
)

func (a *app) newCommand() *cobra.Command {
	return &cobra.Command{
		Use: "new FILE", Short: "Write a commented scenario to start from",
		Args: need(1, 1, "a file name"),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := namedAfter(args[0], spec.Template(a.catalog))
			if err != nil {
				return fmt.Errorf("new: %w", err)
			}
			file, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("new: %s already exists", args[0])
			}
			if err != nil {
				return fmt.Errorf("new: %w", err)
			}
			_, err = file.Write(text)
			if err := errors.Join(err, file.Close()); err != nil {
				return failed(errors.Join(fmt.Errorf("new: %w", err), os.Remove(args[0])))
			}
			_, err = fmt.Fprintf(a.io.Out, "%s is written; run it with: simulate run %s\n", args[0], args[0])
			return err
		},
	}
}

// nameLine is the line of the template that names the scenario.
const nameLine = "name: my-scenario\n"

// namedAfter names a new scenario after its file, so that the results of two new scenarios
// go to different folders.
func namedAfter(file string, template []byte) ([]byte, error) {
	base := filepath.Base(file)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	line, err := yaml.Marshal(map[string]string{"name": name})
	if err != nil {
		return nil, err
	}
	return bytes.Replace(template, []byte(nameLine), line, 1), nil
}

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of scenario files, for editors",
		Args: need(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			schema, err := spec.Schema(a.catalog)
			if err != nil {
				return failed(err)
			}
			_, err = fmt.Fprintf(a.io.Out, "%s\n", schema)
			return err
		},
	}
}
