package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// key returns what a run is stored under: a hash of all that its result depends on,
// which is the program, the resolved scenario with this one method, the seed, and the
// content of the files that the scenario names. What a run is called, and what is
// claimed of it, changes nothing.
func (j *job) key(program string) (string, error) {
	s := j.point.Scenario
	a := s.Algorithms[j.alg]
	o := Ordered{{"program", program}, {"seed", j.in.seed}}
	o.Add("topology", s.resolvedTopology())
	o.Add("network", s.Network.resolved())
	o.Add("compute", s.Compute.resolved())
	o.Add("wire", s.Wire)
	o.Add("problem", append(Ordered{{"kind", s.Problem.Kind}}, s.Problem.Args.Ordered(false)...))
	o.Add("algorithm", append(Ordered{{"name", a.Name}}, j.args.Ordered(false, "label")...))
	o.Add("stop", s.Stop.resolved())
	o.Add("record", Ordered{{"every", s.Record.Every}, {"metrics", s.measured(j.in.metrics, a)}, {"iterates", s.Record.Iterates}})
	o.Add("files", j.in.files)
	text, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("resolved scenario: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// digests returns the digest of each file that the problem or the graph is read from.
func (s *Scenario) digests() (Ordered, error) {
	var files Ordered
	for _, args := range []Args{s.Problem.Args, s.Topology.Args} {
		for _, p := range args.Params {
			name, ok := args.Values[p.Name].(string)
			if p.Kind != Path || !ok || name == "" {
				continue
			}
			sum, err := digest(InFolder(s.Dir(), name))
			if err != nil {
				return nil, err
			}
			files.Add(p.Name, sum)
		}
	}
	return files, nil
}

// digest returns the SHA-256 of a file, or of all files in a folder and their names.
func digest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	files := []string{path}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return "", err
		}
		files = nil
		for _, e := range entries {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	h := sha256.New()
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue // a folder in the folder is not read
		}
		fmt.Fprintf(h, "%s\n", filepath.Base(name))
		file, err := os.Open(name)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
