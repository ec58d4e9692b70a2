package cli

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
)

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
