package spec

import (
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/keys"
)

// TestKeysThatNeedOthers checks that a key that depends on another one names a key of its section, and that it is
// rejected without that key unless it has its default.
func TestKeysThatNeedOthers(t *testing.T) {
	seen := map[string]bool{}
	eachParam("", Keys(builtin()), func(_ string, all []keys.Param, p keys.Param) {
		for _, other := range []string{p.With, p.Unless} {
			if other, _, _ = strings.Cut(other, ": "); other != "" && !declared(all, other) {
				t.Errorf("%s depends on %s, which its section does not have", p.Name, other)
			}
		}
		if key, _, ok := strings.Cut(p.Only, ": "); ok && !declared(all, key) {
			t.Errorf("%s depends on %s, which its section does not have", p.Name, key)
		}
		if p.With != "" {
			seen[p.Name+" with "+p.With] = true
		}
	})
	const head = "version: 1\ntopology: {kind: ring, nodes: 4}\n"
	const dagm = "algorithms: [{name: dagm, outer: 1, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n"
	const quadratic = "problem: {kind: quadratic, p: 2, q: 3}\n"
	const own = "claims: [{text: a, source: b, check: dagm.iterations > 0, "
	for with, c := range map[string]struct{ rest, wrong string }{
		"test_labels with test_file": {"problem: {kind: hyper-ridge, data: {file: a.csv, test_labels: b}}\n" + dagm,
			"test_labels is used only where test_file is given"},
		"first_index with file": {"problem: {kind: hyper-text, features: 300, first_index: 0}\n" + dagm,
			"first_index is used only where file is given"},
		"test_file with file": {"problem: {kind: hyper-text, features: 300, test_file: t.svm}\n" + dagm,
			"test_file is used only where file is given"},
		"mtu with packet": {quadratic + dagm + "network: {overhead: {message: 40B, mtu: 1500B}}\n",
			"mtu is used only where packet is given"},
		"period with batch": {"problem: {kind: quadratic, p: 2, q: 3, inner: personal}\n" +
			"algorithms: [{name: prometheus, outer: 1, alpha: 0.1, beta: 0.1, tau: 10, neumann: 1, lipschitz: 9, period: 5}]\n",
			"period is used only where batch is given"},
		"gamma with mode": {quadratic + "algorithms: [{name: dbo, outer: 1, inner: 1, jhip: 1, eta_x: 0.1, eta_y: 0.1, " +
			"gamma: 0.1, mode: homogeneous}]\n", "only mode: heterogeneous uses gamma"},
		"measured with fact": {quadratic + dagm + own + "measured: \"1\"}]\n",
			"measured is used only where fact is given"},
		"with with fact": {quadratic + dagm + own + "with: {K: 1}}]\n",
			"with is used only where fact is given"},
		"stand_in with fact": {quadratic + dagm + own + "stand_in: true}]\n",
			"stand_in is used only where fact is given"},
		"moves with fact": {quadratic + dagm + own + "moves: \"1\"}]\n",
			"moves is used only where fact is given"},
		"of with effect": {quadratic + dagm + "ask: {of: algorithm}\n", "of is used only where effect is given"},
	} {
		delete(seen, with)
		_, err := Parse("x.yaml", []byte(head+c.rest), builtin(), nil)
		if err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v, want %q", with, err, c.wrong)
		}
	}
	for with := range seen {
		t.Errorf("%s: a declaration without a test of its refusal", with)
	}
	harmless := head + "problem: {kind: hyper-text, features: 300, first_index: 1}\n" + dagm
	if _, err := Parse("x.yaml", []byte(harmless), builtin(), nil); err != nil {
		t.Errorf("the default of a key that is not used: %v", err)
	}
}

func declared(all []keys.Param, name string) bool {
	return slices.ContainsFunc(all, func(p keys.Param) bool { return p.Name == name })
}

// eachParam visits the declarations below path, each with the others of its section.
func eachParam(path string, all []keys.Param, visit func(path string, all []keys.Param, p keys.Param)) {
	for _, p := range all {
		at := keys.JoinKey(path, p.Name)
		visit(at, all, p)
		eachParam(at, p.Params, visit)
		if p.Variants == nil {
			continue
		}
		for i := range p.Variants.Entries {
			e := &p.Variants.Entries[i]
			eachParam(at+"("+e.Name+")", p.Variants.Params(e), visit)
		}
	}
}
