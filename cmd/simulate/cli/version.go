package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics/result"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Which program this is: version, commit, Go", Args: need(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			p := provenance(nil)
			commit := p.Commit
			if commit == "" {
				commit = "unknown"
			}
			if p.Modified {
				commit += ", with changes that are not committed"
			}
			_, err := fmt.Fprintf(a.io.Out, "%s\ncommit   %s\ngo       %s\nplatform %s\n", named(p.Version), commit,
				p.GoVersion, p.Platform)
			return err
		}}
}

// named names this program with its version, and where it is a user's own, which has
// tallynet as a module, that module's version.
func named(version string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "tallynet" {
				return fmt.Sprintf("%s %s, with tallynet %s", info.Main.Path, version, m.Version)
			}
		}
	}
	return "tallynet " + version
}

func (a *app) provenance() result.Provenance {
	return provenance(append([]string{"simulate"}, a.args...))
}

// provenance tells what program this is. `go run` stamps no commit into it, so there
// the checkout around the current folder is asked, if it is this program's.
func provenance(commandLine []string) result.Provenance {
	p := result.Provenance{Version: "unknown", GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" +
		runtime.GOARCH, CommandLine: commandLine}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	p.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			p.Commit = s.Value
		case "vcs.modified":
			p.Modified = s.Value == "true"
		}
	}
	if p.Commit == "" {
		p.Commit, p.Modified = checkout(info.Main.Path)
	}
	return p
}

// checkout returns the commit of the git checkout that has the sources of a module at
// or above the current folder.
func checkout(module string) (commit string, modified bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			if first, _, _ := strings.Cut(string(mod), "\n"); strings.TrimSpace(first) != "module "+module {
				return "", false
			}
			break
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
		dir = filepath.Dir(dir)
	}
	head, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		return "", false
	}
	status, err := exec.Command("git", "-C", dir, "status", "--porcelain", "--untracked-files=no").Output()
	return strings.TrimSpace(string(head)), err != nil || len(status) > 0
}

// nameIn returns the scenario's name in a resolved scenario.
func nameIn(resolved json.RawMessage) string {
	var s struct{ Name string }
	if json.Unmarshal(resolved, &s) != nil {
		return ""
	}
	return s.Name
}
