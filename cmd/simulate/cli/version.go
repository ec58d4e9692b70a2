package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"

	"tallynet/metrics/report/result"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the program's version, commit and Go version",
		Args: need(0, 0, ""),
		RunE: func(*cobra.Command, []string) error { return a.version() },
	}
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

// named returns the name and version of this program. A user's own program, which imports
// tallynet, shows that module's version too.
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

// provenance describes this program from its build information alone. `go build` stamps the
// commit, `go run` does not, and then the commit is unknown: asking git would name the commit of
// whatever repository the program happens to be in.
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

// programID identifies this build of the program, including the methods that its main added, so
// that runs stored by another build are repeated. It is the digest of the program's file.
var programID = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, file)
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})
