package problems

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems/budget"
)

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= tol) {
			t.Errorf("%s: %.12g, want %.12g", what, got, want)
			return
		}
	}
}

func closedForm(t *testing.T, qp *Quadratic, personal bool) *ClosedForm {
	t.Helper()
	cf, err := qp.ClosedForm(personal)
	if err != nil {
		t.Fatal(err)
	}
	return cf
}

// An independent computation printed these numbers.
func TestInstanceV(t *testing.T) {
	qp := InstanceV()
	cf := closedForm(t, qp, false)
	zero := make([]float64, 2)
	near(t, "y*(0)", cf.Inner(0, zero), []float64{-.689149560, .601173021, -.228739003}, 6e-10)
	near(t, "v*(0)", cf.unit(0).adjoint(zero, cf.Inner(0, zero)), []float64{.197001230, -.747942484, .596584997}, 6e-10)
	near(t, "Φ(0)", []float64{cf.Objective(zero)}, []float64{-2.0941490871}, 6e-11)
	grad := make([]float64, 2)
	cf.Hypergradient(grad, zero)
	near(t, "∇Φ(0)", grad, []float64{-3.142145965, 1.403367704}, 6e-10)
	hess := mat.NewSymDense(2, nil)
	cf.Hessian(hess)
	near(t, "∇²Φ", []float64{hess.At(0, 0), hess.At(0, 1), hess.At(1, 1)},
		[]float64{6.935761754, .568134519, 5.264686406}, 6e-10)

	// Column a of Z* = H⁻¹P' is y*(0) - y*(e_a).
	for a, want := range [][]float64{{.255131965, -.148093842, .378299120}, {-.082111437, .369501466, -.052785924}} {
		unit := make([]float64, 2)
		unit[a] = 1
		col := cf.Inner(0, zero)
		for b, v := range cf.Inner(0, unit) {
			col[b] -= v
		}
		near(t, "Z*", col, want, 6e-10)
	}
	x, y, err := qp.Solution()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "x*", x, []float64{.479105725509, -.318264769392}, 6e-13)
	near(t, "y*(x*)", y, []float64{-.837517923, .789724927, -.426784177}, 6e-10)
	near(t, "Φ(x*)", []float64{cf.Objective(x)}, []float64{-3.0701803976822553}, 1e-14)
	cf.Hypergradient(grad, x)
	near(t, "∇Φ(x*)", grad, zero, 1e-14)

	pers := closedForm(t, qp, true)
	pers.Hypergradient(grad, zero)
	near(t, "personal ∇Φ(0)", grad, []float64{-3.149830619, 1.488598824}, 6e-10)
	px, err := pers.Minimizer()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "personal x*", px, []float64{.479802198787, -.331313689156}, 6e-13)
}

func TestInstanceS(t *testing.T) {
	qp := InstanceS()
	cf, pers := closedForm(t, qp, false), closedForm(t, qp, true)
	near(t, "y*(5)", cf.Inner(0, []float64{5}), []float64{2}, 1e-15)
	grad := make([]float64, 1)
	cf.Hypergradient(grad, []float64{3})
	near(t, "Φ'(3)", grad, []float64{1.16*3 - 1}, 1e-14)
	x, _, err := qp.Solution()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "x*", x, []float64{1 / 1.16}, 1e-15)
	for i := range 4 {
		near(t, "y_i*(1)", pers.Inner(i, []float64{1}), []float64{1 / float64(i+1)}, 1e-15)
	}
	pers.Hypergradient(grad, []float64{3})
	near(t, "personal Φ'(3)", grad, []float64{3*(1+205./576) - 1}, 1e-14)
	px, err := pers.Minimizer()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "personal x*", px, []float64{576. / 781}, 1e-15)
}

// ∇Φ and ∇²Φ equal differences of Φ, for shared and personal y.
func TestClosedFormDifferences(t *testing.T) {
	qp, err := GenerateQuadratic(QuadraticConfig{Nodes: 3, P: 4, Q: 6, Heterogeneity: 0.5, Seed: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, personal := range []bool{false, true} {
		cf := closedForm(t, qp, personal)
		x := []float64{.3, -1, 2, .5}
		grad, up, down := make([]float64, 4), make([]float64, 4), make([]float64, 4)
		cf.Hypergradient(grad, x)
		hess := mat.NewSymDense(4, nil)
		cf.Hessian(hess)
		for a := range x {
			const h = 1e-4
			moved := slices.Clone(x)
			moved[a] += h
			fUp := cf.Objective(moved)
			cf.Hypergradient(up, moved)
			moved[a] -= 2 * h
			fDown := cf.Objective(moved)
			cf.Hypergradient(down, moved)
			near(t, "∂Φ", []float64{(fUp - fDown) / (2 * h)}, grad[a:a+1], 1e-8)
			for b := range x {
				near(t, "∂²Φ", []float64{(up[b] - down[b]) / (2 * h)}, []float64{hess.At(a, b)}, 1e-8)
			}
		}
	}
}

func TestGenerateQuadratic(t *testing.T) {
	c := QuadraticConfig{Nodes: 4, P: 5, Q: 8, Condition: 100, Heterogeneity: 0, Seed: 5, X0: 2}
	qp, err := GenerateQuadratic(c)
	if err != nil {
		t.Fatal(err)
	}
	var eig mat.EigenSym
	if !eig.Factorize(mat.NewSymDense(8, slices.Clone(qp.data[0].h.Data)), false) {
		t.Fatal("no eigenvalues")
	}
	want := make([]float64, 8)
	for j := range want {
		want[j] = math.Pow(100, float64(j)/7)
	}
	near(t, "eigenvalues of H", eig.Values(nil), want, 1e-11)
	for i := range qp.data {
		n, first := &qp.data[i], &qp.data[0]
		if !slices.Equal(n.h.Data, first.h.Data) || !slices.Equal(n.pm.Data, first.pm.Data) ||
			!slices.Equal(n.qv, first.qv) {
			t.Errorf("heterogeneity 0: node %d has a different inner problem from node 0", i)
		}
		if i > 0 && slices.Equal(n.am.Data, first.am.Data) {
			t.Errorf("node %d has node 0's f", i)
		}
	}
	c.Heterogeneity, c.Nodes = 1, 6
	other, err := GenerateQuadratic(c)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(other.data[0].h.Data, other.data[1].h.Data) {
		t.Error("heterogeneity 1: two nodes share H")
	}
	for i := range other.data {
		if !eig.Factorize(mat.NewSymDense(8, slices.Clone(other.data[i].h.Data)), false) {
			t.Fatal("no eigenvalues")
		}
		if v := eig.Values(nil); v[0] < 1-1e-9 || v[7] > 100+1e-9 {
			t.Errorf("node %d: eigenvalues %v to %v, want inside 1 to 100", i, v[0], v[7])
		}
		// Φ is strongly convex with modulus 1 on every node alone.
		hess := mat.NewSymDense(5, nil)
		closedForm(t, other, true).Hessian(hess)
		if !eig.Factorize(hess, false) || eig.Values(nil)[0] < 1 {
			t.Errorf("smallest eigenvalue of ∇²Φ is %v, want at least 1", eig.Values(nil)[0])
		}
	}
	// The data depend on the seed and the node, not on the number of nodes.
	c.Nodes = 2
	fewer, err := GenerateQuadratic(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Seed++
	reseeded, err := GenerateQuadratic(c)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fewer.data[1].h.Data, other.data[1].h.Data) ||
		!slices.Equal(fewer.data[1].cv, other.data[1].cv) {
		t.Error("node 1 depends on the number of nodes")
	}
	if slices.Equal(fewer.data[1].h.Data, reseeded.data[1].h.Data) {
		t.Error("the seed changes nothing")
	}
	if x0, _ := qp.Start(0); x0[4] != 2 {
		t.Errorf("x0 = %v, want all 2", x0)
	}
}

// The common outer objective has share 0, 1 and values in between.
func TestGenerateQuadraticSharedOuter(t *testing.T) {
	generate := func(shared float64) *Quadratic {
		qp, err := GenerateQuadratic(QuadraticConfig{Nodes: 3, P: 3, Q: 4, Heterogeneity: 0.5, SharedOuter: shared,
			Seed: 9})
		if err != nil {
			t.Fatal(err)
		}
		return qp
	}
	own, one, quarter := generate(0), generate(1), generate(0.25)
	outer := func(n *quadraticNode) []float64 {
		return slices.Concat(n.am.Data, n.bm.Data, n.cm.Data, n.av, n.cv)
	}
	for i := range 3 {
		a, b := outer(&own.data[i]), outer(&one.data[i])
		if !slices.Equal(b, outer(&one.data[0])) {
			t.Errorf("shared 1: node %d has a different f from node 0", i)
		}
		want := make([]float64, len(a))
		for k := range want {
			want[k] = 0.75*a[k] + 0.25*b[k]
		}
		near(t, "shared 0.25", outer(&quarter.data[i]), want, 1e-15)
		if !slices.Equal(own.data[i].h.Data, one.data[i].h.Data) ||
			slices.Equal(one.data[i].qv, one.data[(i+1)%3].qv) {
			t.Errorf("node %d: the inner problems depend on the outer ones", i)
		}
	}
	for problem, want := range map[*Quadratic]string{
		own: "heterogeneity 0.5", quarter: "heterogeneity 0.5, outer 0.75", one: "heterogeneity 0.5, outer 0",
	} {
		if !strings.HasSuffix(problem.name, want) {
			t.Errorf("%q, want %q at the end", problem.name, want)
		}
	}
	if slices.Equal(outer(&one.data[0]), outer(&own.data[0])) {
		t.Error("the common f is node 0's")
	}
}

func TestLoadQuadratic(t *testing.T) {
	write := func(content string) string {
		path := filepath.Join(t.TempDir(), "q.json")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// Instance S, node by node, as a file; x0 for all nodes.
	qp, err := LoadQuadratic(write(`{"x0": [7], "nodes": [
		{"H": [[1]], "P": [[-1]], "A": [[1]], "C": [[1]], "c": [-1]},
		{"H": [[2]], "P": [[-1]], "A": [[1]], "C": [[1]], "c": [-2]},
		{"H": [[3]], "P": [[-1]], "A": [[1]], "C": [[1]], "c": [-3]},
		{"H": [[4]], "P": [[-1]], "A": [[1]], "C": [[1]], "c": [-4], "B": [[0]], "a": [0], "q": [0]}]}`), budget.Limit{})
	if err != nil {
		t.Fatal(err)
	}
	x, y, err := qp.Solution()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "x*", x, []float64{1 / 1.16}, 1e-15)
	near(t, "y*", y, []float64{.4 / 1.16}, 1e-15)
	x0, y0 := qp.Start(3)
	near(t, "x0", x0, []float64{7}, 0)
	near(t, "y0", y0, []float64{0}, 0)

	for _, c := range []struct{ content, want string }{
		{`{"nodes": [{"H": [[1]], "P": [[1]]}]`, "line 1: the file is not valid JSON"},
		{"{\"nodes\": [\n{\"H\": [[1],]}]}", "line 2: the file is not valid JSON"},
		{`[]`, "the file: want an object, got []"},
		{`null`, "the file: want an object, got null"},
		{`{}`, "nodes: missing"},
		{`{"nodes": []}`, "nodes: the list is empty"},
		{`{"nodes": 3}`, "nodes: want a list of objects, got 3"},
		{`{"nodes": null}`, "nodes: want a list of objects, got null"},
		{`{"Nodes": []}`, `unknown key "Nodes"`},
		{`{"nodes": [{"H": [[1]], "P": [[1]]}], "x1": [1]}`, `unknown key "x1"`},
		{`{"nodes": [null]}`, "nodes[0]: want an object, got null"},
		{`{"nodes": [{"H": [[1]], "P": [[1]], "h": [[1]]}]}`,
			`nodes[0]: unknown key "h"; the keys are H, P, q, A, B, C, a, c`},
		{`{"nodes": [{"P": [[1]]}]}`, "nodes[0].H: missing"},
		{`{"nodes": [{"H": [[1]], "P": [[1]]}, {"P": [[1]]}]}`, "nodes[1].H: missing"},
		{`{"nodes": [{"H": [[1]]}]}`, "nothing determines the length p of x"},
		{`{"nodes": [{"H": [[1]], "P": [[1e999]]}]}`, "nodes[0].P[0][0]: want a finite number, got 1e999"},
		{`{"nodes": [{"H": [[1]], "P": [[null]]}]}`, "nodes[0].P[0][0]: want a finite number, got null"},
		{`{"nodes": [{"H": [[1]], "P": [["1"]]}]}`, `nodes[0].P[0][0]: want a finite number, got "1"`},
		{`{"nodes": [{"H": [[1]], "P": [1]}]}`, "nodes[0].P[0]: want a list of numbers, got 1"},
		{`{"nodes": [{"H": [[1]], "P": [null]}]}`, "nodes[0].P[0]: want a list of numbers, got null"},
		{`{"nodes": [{"H": null, "P": [[1]]}]}`, "nodes[0].H: want a list of rows, got null"},
		{`{"nodes": [{"H": [[1]], "P": [[1]], "q": 1}]}`, "nodes[0].q: want a list of numbers, got 1"},
		{`{"nodes": [{"H": [[1, 0], [0, 1]], "P": [[1]]}]}`, "nodes[0].P[0]: 1 numbers, want 2"},
		{`{"nodes": [{"H": [[1, 0], [0]], "P": [[1, 1]]}]}`, "nodes[0].H[1]: 1 numbers, want 2"},
		{`{"nodes": [{"H": [[1]], "P": [[1]]}, {"H": [[1]], "P": [[1], [1]]}]}`, "nodes[1].P: 2 rows, want 1"},
		{`{"nodes": [{"H": [[1]], "P": [[1]]}, {"H": [[1]], "P": []}]}`, "nodes[1].P: 0 rows, want 1"},
		{`{"nodes": [{"H": [[1]], "P": [[1]], "a": [1, 2]}]}`, "nodes[0].a: 2 numbers, want 1"},
		{`{"nodes": [{"H": [[1]], "P": [[1]]}], "y0": [1, 2]}`, "y0: 2 numbers, want 1"},
		{`{"nodes": [{"H": [[1, 2], [2, 1]], "P": [[1, 1]]}]}`,
			"nodes[0].H: not positive definite (its smallest eigenvalue is -1)"},
		{`{"nodes": [{"H": [[1]], "P": [[1]]}], "x0": [1], "x0": [2]}`, "x0: the key occurs twice"},
		{`{"nodes": [{"H": [[1]], "P": [[1]]}, {"H": [[1]], "P": [[1]], "H": [[2]]}]}`,
			"nodes[1].H: the key occurs twice"},
		{`{"nodes": [{"H": [[2, 1], [0, 2]], "P": [[1, 1]]}]}`,
			"nodes[0].H: not symmetric: [1][0] is 0, but [0][1] is 1"},
		{`{"nodes": [{"H": [[1]], "A": [[1, 2], [3, 1]]}]}`, "nodes[0].A: not symmetric"},
		{`{"nodes": [{"H": [[1, 0], [0, 1]], "P": [[1, 1]], "C": [[1, 2], [3, 1]]}]}`, "nodes[0].C: not symmetric"},
	} {
		path := write(c.content)
		if _, err := LoadQuadratic(path, budget.Limit{}); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s\n\terror %v\n\twant  %s", c.content, err, c.want)
		}
	}
	if _, err := LoadQuadratic(filepath.Join(t.TempDir(), "none.json"), budget.Limit{}); err == nil ||
		!strings.Contains(err.Error(), "none.json") {
		t.Errorf("absent file: %v", err)
	}
	if _, err := LoadQuadratic(os.DevNull, budget.Limit{}); err == nil ||
		!strings.Contains(err.Error(), os.DevNull+": not a regular file") {
		t.Errorf("a device: %v", err)
	}
	large := write("")
	if err := os.Truncate(large, largestQuadraticFile+1); err != nil { // sparse: takes no room on disk
		t.Fatal(err)
	}
	if _, err := LoadQuadratic(large, budget.Limit{}); err == nil ||
		!strings.Contains(err.Error(), large+": the file has 1000000001 bytes") {
		t.Errorf("a large file: %v", err)
	}
	if err := os.Truncate(large, largestQuadraticFile); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadQuadratic(large, budget.Limit{Bytes: 1e9}); err == nil ||
		!strings.Contains(err.Error(), "reading "+large) { // which would take eight times as much
		t.Errorf("the largest file: %v", err)
	}
	wide := write(`{"nodes": [{"H": [[1]]}], "x0": [0` + strings.Repeat(", 0", 99) + `]}`) // A has 100 x 100 numbers
	for limit, fits := range map[float64]bool{5e4: false, 5e5: true} {
		if _, err := LoadQuadratic(wide, budget.Limit{Bytes: limit}); (err == nil) != fits ||
			!fits && !strings.Contains(err.Error(), "quadratic (x of 100 and y of 1 numbers) needs") {
			t.Errorf("a limit of %g bytes: %v", limit, err)
		}
	}
}

// With a negative A, Φ is not convex.
func TestNoMinimizer(t *testing.T) {
	qp := mustQuadratic(QuadraticSpec{Nodes: []QuadraticNode{{H: [][]float64{{1}}, P: [][]float64{{1}},
		A: [][]float64{{-2}}, C: [][]float64{{1}}}}})
	if _, _, err := qp.Solution(); err == nil ||
		!strings.Contains(err.Error(), "not positive definite (its smallest eigenvalue is -1)") {
		t.Errorf("error %v", err)
	}
}

// FuzzReadQuadratic: an error has its place. An accepted problem has one term and one
// start for each node, of the stated sizes.
func FuzzReadQuadratic(f *testing.F) {
	for _, content := range []string{
		`{"nodes": [{"H": [[1]], "P": [[1]]}], "x0": [1]}`, `{"nodes": [{"H": [[1,2],[2]], "q": [1e999]}]}`,
		`{"x0": [7], "nodes": [{"H": [[4]], "P": [[-1]], "A": [[1]], "B": [[0]], "C": [[1]], "a": [0], "c": [-4],
			"q": [0]}]}`,
		"{\"nodes\": [\n{\"H\": [[1],]}]}", `{"nodes": [{"H": [[1, 0], [0, 1]], "P": [[1, 1]], "h": null}]}`,
		`{"nodes": [{"H": [[2, 1], [1, 2]], "P": [[1, 1], [0, 1]]}, {"H": [[1, 0], [0, 1]], "P": [[1, 1]]}], "y0": []}`,
	} {
		f.Add(content)
	}
	place := regexp.MustCompile(`^(line (\d+)|the file|x0|y0|nodes)\b`)
	f.Fuzz(func(t *testing.T, content string) {
		spec, err := readQuadratic(strings.NewReader(content))
		var qp *Quadratic
		if err == nil {
			qp, err = NewQuadratic(spec)
		}
		if err != nil {
			found := place.FindStringSubmatch(strings.TrimPrefix(err.Error(), "quadratic: "))
			if found == nil {
				t.Fatalf("%v: where?", err)
			}
			if line, _ := strconv.Atoi(found[2]); line > 1+strings.Count(content, "\n") {
				t.Errorf("%v: beyond the end", err)
			}
			return
		}
		p, q := qp.Dims()
		if qp.Nodes() != len(spec.Nodes) || qp.Nodes() < 1 || p < 1 || q < 1 {
			t.Fatalf("%d nodes, p = %d, q = %d, of %d nodes", qp.Nodes(), p, q, len(spec.Nodes))
		}
		gx, gy := make([]float64, p), make([]float64, q)
		for i := range qp.Nodes() {
			x, y := qp.Start(i)
			if len(x) != p || len(y) != q {
				t.Fatalf("node %d starts at %v and %v", i, x, y)
			}
			qp.Local(i).F(x, y)
			qp.Local(i).GradFx(gx, x, y)
			qp.Local(i).GradGy(gy, x, y)
		}
	})
}
