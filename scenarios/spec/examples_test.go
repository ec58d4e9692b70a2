package spec

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tallynet/scenarios/keys"
)

// TestExamplesParse reads the example of every key by its declaration, since hints propose it.
func TestExamplesParse(t *testing.T) {
	seen := 0
	eachParam("", Keys(builtin()), func(path string, _ []keys.Param, p keys.Param) {
		if p.Example == "" {
			return
		}
		seen++
		if err := readExample(p); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	})
	if seen < 300 {
		t.Errorf("only %d examples", seen)
	}
}

// readExample reads "name: example" by p. Custom keys are only parsed as YAML.
func readExample(p keys.Param) error {
	src := keys.NewSource("example", []byte(p.Name+": "+p.Example))
	tree, ferr := src.Parse()
	if ferr != nil {
		return ferr
	}
	if p.Name == "algorithms" {
		text := "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 2, q: 3}\n" + p.Name + ": " +
			p.Example
		_, err := Parse("example", []byte(text), builtin(), nil)
		return err
	}
	if p.Custom {
		return nil
	}
	r := keys.Reader{Src: src}
	if _, ok := r.Value(p.Name, tree.Fields[0], p); !ok {
		return r.Err()
	}
	return nil
}

// TestHintsParse parses what the hints of broken scenarios propose to write.
func TestHintsParse(t *testing.T) {
	files, err := filepath.Glob("../*/testdata/broken/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	write := regexp.MustCompile(`(?m)^  hint: .*?write ([a-z_0-9]+: .*)$`)
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range write.FindAllStringSubmatch(string(text), -1) {
			code, _, _ := strings.Cut(m[1], "; ")
			code, _, _ = strings.Cut(code, ", or ")
			code, _, _ = strings.Cut(code, " or ")
			seen++
			if tree, ferr := keys.NewSource("hint", []byte(code)).Parse(); ferr != nil {
				t.Errorf("%s: %q: %v", filepath.Base(file), code, ferr)
			} else if left := emptyKey(tree); left != "" {
				t.Errorf("%s: %q: the key %s has no value", filepath.Base(file), code, left)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d hints", seen)
	}
}

// emptyKey returns a key below v that has no value, or "".
func emptyKey(v *keys.Value) string {
	for _, f := range v.Fields {
		if f.Value.Shape == keys.Null {
			return f.Key
		}
		if key := emptyKey(f.Value); key != "" {
			return key
		}
	}
	for _, item := range v.Items {
		if key := emptyKey(item); key != "" {
			return key
		}
	}
	return ""
}

// TestMisplacedKeys checks that the error of a key in the wrong section proposes the right one.
func TestMisplacedKeys(t *testing.T) {
	const base = "version: 1\ntopology: {kind: ring, nodes: 4%s}\nproblem: {kind: quadratic, p: 2, q: 3}\n" +
		"algorithms: [{name: dagm, outer: 5, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n%s"
	for _, c := range []struct{ in, top, want string }{
		{"", "ring: 8", "write topology: {kind: ring, nodes: 8}"},
		{"", "nodes: 8", "write topology: {kind: ring, nodes: 8}"},
		{"", "kind: ring", "write topology: {kind: ring, nodes: 8}"},
		{"", "degree: 3", "write topology: {kind: regular, nodes: 8, degree: 3}"},
		{"", "weights: lazy", "write topology: {kind: ring, nodes: 8, weights: lazy}"},
		{"", "latency: 2ms", "write network: {latency: 2ms}"},
		{"", "mtu: 1500B", "write network: {overhead: {packet: 66B, mtu: 1500B}}"},
		{"", "grad_norm2: 0.25", "write stop: {grad_norm2: 0.25}"},
		{"", "every: 5", "write record: {every: 5}"},
		{"", "dim: 7", "where these kinds have it: conditioned, consensus, "},
		{"", "dim: 7", ": write problem: {kind: conditioned, dim: 7}"},
		{"", "condition: 7", "belongs in the section problem: write problem: {kind: quadratic, p: 20, q: 20, condition: 7}"},
		{"", "arity: 3", "write topology: {kind: tree, nodes: 8, arity: 3}"},
		{"", "q: 7", "write problem: {kind: quadratic, p: 20, q: 7}"},
		{"", "alpha: 0.1", "write algorithms: [{name: dagm, inner: 10, neumann: 3, alpha: 0.1, beta: 0.02}]"},
		{"", "gossip: 3", "write algorithms: [{name: gossip"},
		{", latency: 2ms", "", "write network: {latency: 2ms}"},
		{", speed: 1GFLOP/s", "", "write compute: {speed: 1GFLOP/s}"},
		{", p: 0.5", "", "it is a key of another kind: erdos-renyi; want one of: kind, nodes, weights"},
		{", seed: 3", "", "seed is a key of the scenario itself"},
	} {
		_, err := Parse("x.yaml", fmt.Appendf(nil, base, c.in, c.top), builtin(), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%s: %v, want %s", c.in, c.top, err, c.want)
		}
	}
}

// TestMisplacedKeysOfAKind checks that hints prefer the kind in use, and that a section in place of a name gets a hint
// how to write the name.
func TestMisplacedKeysOfAKind(t *testing.T) {
	const base = "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: hyper-softmax, %s}\n" +
		"algorithms: [{name: dagm, outer: 5, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n"
	for in, want := range map[string]string{
		"data: {kind: mnist, partition: dirichlet}": "hint: partition belongs in the section problem: " +
			"write problem: {kind: hyper-softmax, data: mnist, partition: dirichlet}\n",
		"data: {kind: mnist, pool: 7}":             "write problem: {kind: hyper-softmax, data: mnist, pool: 7}\n",
		"partition: {kind: dirichlet, alpha: 0.1}": "hint: write partition: dirichlet, and its other keys beside it\n",
		"partition: {name: shards}":                "hint: write partition: shards\n",
		"partition: {kind: latent, alpha: 0.1}":    "hint: write partition: iid\n",
		"data: {kind: mnist, samples: {train: 10}}": "samples belongs in the section problem: " +
			"write problem: {kind: hyper-softmax, samples: {train: 10}}",
		"data: {kind: synthetic, noise: .5}": "write problem: {kind: hyper-softmax, data: synthetic, noise: 0.5}",
	} {
		_, err := Parse("x.yaml", fmt.Appendf(nil, base, in), builtin(), nil)
		if err == nil || !strings.Contains(err.Error()+"\n", want) {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// TestBounds rejects values that no run can have.
func TestBounds(t *testing.T) {
	const base = "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 2, q: 3}\n" +
		"algorithms: [{name: dagm, outer: 5, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n"
	for text, want := range map[string]string{
		"stop: {grad_norm2: -1}":                     "at least 0",
		"stop: {target: {consensus_error: -1e-9}}":   "at least 0",
		"stop: {test_accuracy: 1.5}":                 "at least 0 and at most 1",
		"network: {latency: 1000000h}":               "no run goes beyond 320255h",
		"stop: {time: 320256h}":                      "no run goes beyond 320255h",
		"network: {bandwidth: 1.4bit/s}":             "the nearest values are 1bit/s and 2bit/s",
		"network: {latency: 0.6ns}":                  "the nearest values are 0ns and 1ns",
		"stop: {iterations: 1.00000000000000000001}": "want a whole number",
		"stop: {iterations: 9007199254740993}":       "at most 1000000000",
	} {
		_, err := Parse("x.yaml", []byte(base+text), builtin(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
