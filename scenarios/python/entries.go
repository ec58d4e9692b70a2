package python

import (
	"os"
	"path/filepath"
	"time"

	"tallynet/algorithms"
	"tallynet/metrics/jsonio"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
	"tallynet/sim"
)

// Add adds problems and methods in Python to a catalog, and returns it.
func Add(cat *catalog.Catalog) *catalog.Catalog {
	cat.Problems = append(cat.Problems, problemEntry())
	cat.Algorithms = append(cat.Algorithms, methodEntry())
	return cat
}

func codeParams(what, name, example string) []keys.Param {
	return []keys.Param{
		{Name: "file", Kind: keys.Path, Required: true, Example: "mine.py", About: "the file with the " + what},
		{Name: name, Kind: keys.String, Required: true, Example: example, About: "the name of the " + what},
		{Name: "args", Kind: keys.Free, Example: "{" + "alpha: 0.1" + "}", About: "its further arguments, by name"},
		{Name: "timeout", Kind: keys.Duration, Default: sim.Time(60 * time.Second), Example: "60s", Range: keys.Above(0),
			About: "of the user's clock: a call that takes longer ends the run"},
	}
}

// plainArgs returns arguments as a map.
func plainArgs(o jsonio.Object) map[string]any {
	args := map[string]any{}
	for _, m := range o {
		args[m.Key] = m.Value
	}
	return args
}

// allowed returns the path of the file. The error says if it does not exist or may not run.
func allowed(a keys.Args, dir, what string, allow bool) (string, error) {
	path, err := filepath.Abs(keys.InFolder(dir, a.String("file")))
	if err != nil {
		return "", keys.About("file", err)
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", keys.Wrong("file", "there is no such file: %s", path)
	}
	if !allow {
		return "", keys.Wrong("file",
			"this scenario would run the %s in %s; nothing was run: read that file, and allow it with "+
				"--allow-code", what, path)
	}
	return path, nil
}

func problemEntry() catalog.ProblemEntry {
	return catalog.ProblemEntry{
		Entry: keys.Entry{Name: "python", Summary: "your own problem, a class in Python",
			Params: append(codeParams("class", "class", "Ridge"), keys.Param{Name: "inner", Kind: keys.Enum, Default: "shared",
				Enum: []string{"shared", "personal"}, About: "which Φ is measured: one y for all nodes, or each node its own"})},
		Formula: "f_i and g_i as the class has them",
		New: func(a keys.Args, env catalog.ProblemEnv) (problems.Problem, error) {
			path, err := allowed(a, env.Dir, "class "+a.String("class"), env.AllowCode)
			if err != nil {
				return nil, err
			}
			p, err := newProblem(problemConfig{"problem", path, a.String("class"), env.Nodes, env.Seed,
				plainArgs(keys.Get[jsonio.Object](a, "args")),
				true}, time.Duration(a.Duration("timeout")))
			if err != nil {
				return nil, keys.About("file", err)
			}
			return p, nil
		},
	}
}

func methodEntry() catalog.AlgorithmEntry {
	params := codeParams("generator", "method", "dagm")
	params = append(params,
		keys.Param{Name: "outer", Kind: keys.Int, Required: true, Example: "100", Range: keys.Between(0, 1e9),
			About: "outer iterations"},
		keys.Param{Name: "levels", Kind: keys.Enum, Default: "any", Enum: []string{"any", "bilevel", "single"},
			About: "which problems it is for"},
		keys.Param{Name: "personal_y", Kind: keys.Bool, Default: false, About: "each node has its own y"})
	return catalog.AlgorithmEntry{
		Entry: keys.Entry{Name: "python", Label: "PYTHON", Summary: "your own method, a generator in Python",
			Params: params},
		Problem:    "as the generator is written",
		Updates:    "as the generator is written; docs/python.md has examples",
		Cost:       "no closed form: what is counted stands alone",
		Iterations: "outer",
		NewIn: func(a keys.Args, env catalog.MethodEnv) (algorithms.Method, error) {
			path, err := allowed(a, env.Dir, "generator "+a.String("method"), env.AllowCode)
			if err != nil {
				return nil, err
			}
			needs := algorithms.Requirements{Bilevel: a.String("levels") == "bilevel",
				SingleLevel: a.String("levels") == "single",
				PersonalY:   a.Bool("personal_y"), Server: algorithms.ServerAllowed}
			return &method{file: path, name: a.String("method"), outer: a.Int("outer"),
				args: plainArgs(keys.Get[jsonio.Object](a, "args")), needs: needs,
				patience: time.Duration(a.Duration("timeout"))}, nil
		},
	}
}
