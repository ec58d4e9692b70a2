package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// key returns the key of a stored run: a hash of the program, the resolved scenario with this one method, the seed and
// the content of the files that the scenario names. Labels and claims do not enter.
func (j *job) key(program string) (string, error) {
	s := j.point.Scenario
	a := s.Algorithms[j.alg]
	whole := keys.Which{}
	o := jsonio.Of("program", program, "seed", j.in.seed,
		"topology", s.Topology.Args.Resolved(whole), "network", s.Network.Resolved(whole), "compute",
		s.Compute.Resolved(whole),
		"wire", s.WireValue(), "problem", s.Problem.Args.Resolved(whole), "algorithm", append(jsonio.Of("name", a.Name),
			spec.MethodSettings(j.args)...),
		"stop", s.Stop.Resolved(whole), "record", s.Record.With("metrics", s.MeasuredMetrics(j.in.metrics,
			a)).Resolved(whole),
		"files", j.in.files)
	code, err := fileDigests(s, j.args)
	if err != nil {
		return "", err
	}
	if code != nil {
		o.Add("code", code)
	}
	if s.DataSeed != nil {
		o.Add("data_seed", *s.DataSeed)
	}
	if s.Platform.Read() {
		o.Add("platform", s.Platform.Resolved(whole))
		o.Add("place", s.Place)
	}
	for _, section := range []struct {
		name string
		keys.Args
	}{{"tariffs", s.Tariffs}, {"dynamics", s.Dynamics}, {"faults", s.Faults}, {"silence", s.Silence}} {
		if section.Read() {
			o.Add(section.name, section.Resolved(whole))
		}
	}
	if j.timed {
		size := execute.TimelineSize()
		o.Add("timeline", []int{size.Slices, size.Messages})
	}
	text, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("resolved scenario: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// digests returns the digest of each file that the problem, the graph, the platform or the faults are read from.
func digests(s *spec.Scenario) (jsonio.Object, error) {
	return fileDigests(s, s.Problem.Args, s.Topology.Args, s.Platform, s.Faults)
}

// fileDigests returns the digest of each file that sections name.
func fileDigests(s *spec.Scenario, sections ...keys.Args) (jsonio.Object, error) {
	var files jsonio.Object
	for _, args := range sections {
		for _, f := range args.Files() {
			sum, err := digest(keys.InFolder(s.Dir(), f.Value.(string)))
			if err != nil {
				return nil, err
			}
			files.Add(f.Key, sum)
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
			continue // subfolders are not read
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
