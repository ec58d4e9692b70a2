// Performance runs DAGM on MNIST in this simulator and, from the same data, in plain numpy (dagm.py), and prints
// the table of docs/performance.md: CPU times of the iterations, and how far the iterates are apart.
//
//	go -C .ci run ./performance [-python python3] [-repeat 5] [-forms dense,structured]
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/sim"
	"tallynet/topologies"
)

// setup is what both sides compute, as dagm.py reads it.
type setup struct {
	Nodes   int     `json:"nodes"`
	Q       int     `json:"q"`
	Train   int     `json:"train"`
	Val     int     `json:"val"`
	Outer   int     `json:"outer"`
	Inner   int     `json:"inner"`
	Neumann int     `json:"neumann"`
	Alpha   float64 `json:"alpha"`
	Beta    float64 `json:"beta"`
}

// far is the greatest difference of iterates, relative to the greatest of them, that is rounding.
const far = 1e-10

func main() {
	log.SetFlags(0)
	python := flag.String("python", "python3", "a Python with numpy")
	repeat := flag.Int("repeat", 5, "how often each is run, in turns")
	forms := flag.String("forms", "dense,structured", "what numpy computes with, see dagm.py")
	blas := flag.String("blas", "", "fail if the BLAS of numpy has another name")
	flag.Parse()
	if err := compare(*python, max(1, *repeat), strings.Split(*forms, ","), *blas); err != nil {
		log.Fatal(err)
	}
}

func compare(python string, repeat int, forms []string, blas string) error {
	dir, err := os.MkdirTemp("", "performance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := setup{Nodes: 20, Q: 784, Train: 100, Val: 100, Outer: 20, Inner: 1, Neumann: 3, Alpha: 8000, Beta: 0.1}
	problem, mixing, err := s.world()
	if err != nil {
		return err
	}
	if err := s.write(dir, problem, mixing); err != nil {
		return err
	}
	ours, theirs, apart := []float64{}, map[string][]float64{}, map[string]float64{}
	about := ""
	for range repeat {
		iterates, seconds, err := s.simulate(problem, mixing)
		if err != nil {
			return err
		}
		ours = append(ours, seconds)
		for _, form := range forms {
			seconds, with, err := numpy(python, dir, form)
			if err != nil {
				return err
			}
			theirs[form], about = append(theirs[form], seconds), with
			if !strings.Contains(with, blas) {
				return fmt.Errorf("python computes with %s; want %s", with, blas)
			}
			d, err := distance(filepath.Join(dir, "iterates"), iterates)
			if err != nil {
				return err
			}
			apart[form] = max(apart[form], d)
		}
	}
	fmt.Printf("%s, one thread; medians of %d runs in turns, with the least and the greatest.\n\n", about, repeat)
	fmt.Printf("| DAGM, MNIST at 28 x 28, %d nodes, %d iterations | CPU time ", s.Nodes, s.Outer)
	fmt.Println("| this simulator's, of it | iterates apart |")
	fmt.Println("| --- | --- | --- | --- |")
	fmt.Printf("| this simulator: messages, ledger, clocks | %s | | |\n", spread(ours))
	for _, form := range forms {
		fmt.Printf("| numpy, %s | %s | %.2f | %.0e |\n", form, spread(theirs[form]), median(ours)/median(theirs[form]),
			apart[form])
	}
	for form, d := range apart {
		if !(d <= far) {
			return fmt.Errorf("the iterates of numpy, %s, differ by %.1e of the greatest; want %.0e at most", form, d, far)
		}
	}
	return nil
}

// world returns the problem and the mixing matrix.
func (s setup) world() (problems.Problem, *topologies.Mixing, error) {
	images, err := (&data.Loader{}).MNIST("")
	if err != nil {
		return nil, nil, err
	}
	problem, err := problems.NewTask(problems.TaskConfig{
		Kind: "hyper-logistic", Nodes: s.Nodes, Samples: problems.Samples{Train: s.Train, Val: s.Val},
		MNIST: &problems.Digits{Images: images, Classes: []int{4, 9}}, X0: -3, Seed: 1,
	})
	if err != nil {
		return nil, nil, err
	}
	graph, err := topologies.Make(topologies.ErdosRenyi(s.Nodes, 0.5, sim.Stream(1, "graph")))
	if err != nil {
		return nil, nil, err
	}
	return problem, topologies.Metropolis(graph), nil
}

// simulate returns the iterates of all nodes, every x and then every y, and the CPU seconds of the iterations.
func (s setup) simulate(problem problems.Problem, mixing *topologies.Mixing) (
	iterates []float64, seconds float64, err error) {
	method := algorithms.DAGM{Outer: s.Outer, Inner: s.Inner, Neumann: s.Neumann, Alpha: s.Alpha, Beta: s.Beta}
	peers := make([]node.Peers, s.Nodes)
	locals := make([]problems.Local, s.Nodes)
	for i := range peers {
		peers[i] = node.Peers{Neighbors: mixing.Graph().Neighbors(i), Weights: mixing.Weights(i), SelfWeight: mixing.Self(i)}
		locals[i] = problem.Local(i)
	}
	record := metrics.NewRecorder(s.Nodes, s.Outer, s.Outer, func(at *metrics.Snapshot) bool {
		iterates = slices.Concat(slices.Concat(at.X...), slices.Concat(at.Y...)) // of the last iteration in the end
		return true
	})
	net, err := node.New(node.Config{
		Peers: peers, Seed: 1, Recorder: record, Machines: []node.Machine{{FlopsPerSecond: 10e9}},
		Link: func(int, int) (sim.Time, int64) { return sim.Millisecond, 1e9 },
	}, func(i int) node.Handler {
		return node.Program(func(p *node.Proc) {
			x, y := problem.Start(i)
			method.Run(p, algorithms.Metered(p.Context, locals[i], x, y))
		})
	})
	if err != nil {
		return nil, 0, err
	}
	before := cpuSeconds()
	if end, err := net.Run(context.Background(), node.Limits{}); err != nil || end != node.Finished {
		return nil, 0, fmt.Errorf("the run ended as %v: %w", end, err)
	}
	return iterates, cpuSeconds() - before, nil
}

// cpuSeconds returns the CPU time of this process, that of the system included.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// write writes what dagm.py reads.
func (s setup) write(dir string, problem problems.Problem, mixing *topologies.Mixing) error {
	var w, train, val, x, y []float64
	for i := range s.Nodes {
		for j := range s.Nodes {
			w = append(w, mixing.At(i, j))
		}
		l := problem.Local(i)
		train = append(train, s.samples(s.Train, func(dst, zero []float64, k int) {
			l.SetBatch(nil, []int{k})
			l.GradGy(dst, zero, zero)
		})...)
		val = append(val, s.samples(s.Val, func(dst, zero []float64, k int) {
			l.SetBatch([]int{k}, nil)
			l.GradFy(dst, zero, zero)
		})...)
		x0, y0 := problem.Start(i)
		x, y = append(x, x0...), append(y, y0...)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "setup.json"), text, 0o644); err != nil {
		return err
	}
	for name, v := range map[string][]float64{"mixing": w, "train": train, "val": val, "x": x, "y": y} {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.NativeEndian, v); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// samples returns n samples, features times label: at y = 0 the gradient of a sample's loss is -1/2 of that.
func (s setup) samples(n int, gradient func(dst, zero []float64, k int)) []float64 {
	all, zero := make([]float64, n*s.Q), make([]float64, s.Q)
	for k := range n {
		row := all[k*s.Q : (k+1)*s.Q]
		gradient(row, zero, k)
		for j := range row {
			row[j] *= -2
		}
	}
	return all
}

// numpy runs dagm.py and returns the CPU seconds of its iterations, and with what it computed.
func numpy(python, dir, form string) (seconds float64, with string, err error) {
	c := exec.Command(python, ".ci/performance/dagm.py", dir, form)
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return 0, "", fmt.Errorf("%s dagm.py: %w", python, err)
	}
	var said struct {
		Seconds     float64
		Numpy, Blas string
	}
	if err := json.Unmarshal(out, &said); err != nil {
		return 0, "", fmt.Errorf("what dagm.py printed: %w", err)
	}
	return said.Seconds, fmt.Sprintf("numpy %s, %s", said.Numpy, said.Blas), nil
}

// distance returns the greatest difference between the numbers in a file and want, relative to the greatest of want.
func distance(path string, want []float64) (float64, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	got := make([]float64, len(want))
	if len(raw) != 8*len(want) {
		return 0, fmt.Errorf("%s has %d bytes; want %d", path, len(raw), 8*len(want))
	}
	if err := binary.Read(bytes.NewReader(raw), binary.NativeEndian, got); err != nil {
		return 0, err
	}
	most, scale := 0., 0.
	for i, w := range want {
		most, scale = max(most, math.Abs(got[i]-w)), max(scale, math.Abs(w))
	}
	return most / scale, nil
}

// spread writes the median of v, and the least and greatest if there are several.
func spread(v []float64) string {
	text := fmt.Sprintf("%.2f s", median(v))
	if len(v) > 1 {
		text += fmt.Sprintf(" (%.2f to %.2f)", slices.Min(v), slices.Max(v))
	}
	return text
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
