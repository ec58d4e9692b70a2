package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tallynet/metrics/report/result"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Show the program's version, commit and Go " +
		"version", Args: need(0, 0, ""),
		RunE: func(*cobra.Command, []string) error { return a.version() }}
}

// version prints which program this is.
func (a *app) version() error {
	p := provenance(nil)
	commit := cmp.Or(p.Commit, "unknown")
	if p.Modified {
		commit += ", with uncommitted changes"
	}
	_, err := fmt.Fprintf(a.io.Out, "%s\ncommit   %s\ngo       %s\nplatform %s\n", named(p.Version), commit,
		p.GoVersion, p.Platform)
	return err
}

// named returns the name and version of this program. A user's own program, which has
// tallynet as a module, shows that module's version too.
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

// provenance says which program this is, from what was built into it and nothing else.
// `go build` stamps the commit. `go run` does not, and the commit is then unknown: asking
// git would name the commit of whatever repository the program happens to be in.
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
	return p
}

// nameIn returns the scenario's name in a resolved scenario.
func nameIn(resolved json.RawMessage) string {
	var s struct{ Name string }
	if json.Unmarshal(resolved, &s) != nil {
		return ""
	}
	return s.Name
}
