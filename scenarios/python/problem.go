package python

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
)

// call is the number of a function in tallynet.py's list.
type call byte

const (
	callF call = iota
	callG
	callGradFx
	callGradFy
	callGradGx
	callGradGy
	callHessMul
	callJacMul
	callHess
	callJac
	callStart
	callFactor
	callSolve
)

func (c call) String() string {
	return [...]string{"f", "g", "grad_f_x", "grad_f_y", "grad_g_x", "grad_g_y", "hess_g_yy_mul", "jac_g_xy_mul",
		"hess_g_yy",
		"jac_g_xy", "start", "factor", "solve"}[c]
}

// problemConfig describes a problem to a child.
type problemConfig struct {
	Mode  string         `json:"mode"`
	File  string         `json:"file"`
	Name  string         `json:"name"`
	Nodes int            `json:"nodes"`
	Seed  uint64         `json:"seed"`
	Args  map[string]any `json:"args"`
	Check bool           `json:"check"` // compare derivatives with finite differences
}

// problem is a class in Python. Calls are stateless, so any of its child processes can answer them.
type problem struct {
	config   problemConfig
	patience time.Duration
	info     struct {
		P       int            `json:"p"`
		Q       int            `json:"q"`
		By      string         `json:"by"`
		Flops   []float64      `json:"flops"`
		Samples [][2]int       `json:"samples"`
		Start   [][2][]float64 `json:"start"`
	}
	mu   sync.Mutex
	idle []*process
}

// newProblem starts a child, which checks the derivatives.
func newProblem(c problemConfig, patience time.Duration) (*problem, error) {
	p := &problem{config: c, patience: patience}
	child, answer, err := p.child(true)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(answer, &p.info); err != nil || len(p.info.Start) != c.Nodes ||
		len(p.info.Samples) != c.Nodes ||
		p.info.P < 1 || p.info.Q < 0 || len(p.info.Flops) != int(callStart) {
		child.kill()
		return nil, fmt.Errorf("%s: want p at least 1 and q at least 0, got %.80s: %w", c.Name, answer,
			errors.Join(err, errFrame))
	}
	p.idle = append(p.idle, child)
	return p, nil
}

func (p *problem) child(check bool) (*process, []byte, error) {
	child, err := start(p.patience)
	if err != nil {
		return nil, nil, err
	}
	c := p.config
	c.Check = check
	answer, err := child.begin(c, p.patience)
	if err != nil {
		child.kill()
		return nil, nil, fmt.Errorf("%s in %s: %w", c.Name, c.File, err)
	}
	return child, answer, nil
}

// take returns an idle child, which the caller gives back.
func (p *problem) take() (*process, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		child := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return child, nil
	}
	p.mu.Unlock()
	child, _, err := p.child(false)
	return child, err
}

func (p *problem) give(child *process) {
	if child.dead {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, child)
}

// Close ends the idle children.
func (p *problem) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, child := range p.idle {
		child.kill()
	}
	p.idle = nil
	return nil
}

// Dims implements problems.Problem.
func (p *problem) Dims() (int, int) { return p.info.P, p.info.Q }

// Nodes implements problems.Problem.
func (p *problem) Nodes() int { return p.config.Nodes }

// Start implements problems.Problem.
func (p *problem) Start(i int) (x0, y0 []float64) {
	return slices.Clone(p.info.Start[i][0]), slices.Clone(p.info.Start[i][1])
}

// About implements problems.Problem.
func (p *problem) About() string {
	by := map[string]string{"hand": "by hand", "torch": "by PyTorch", "jax": "by JAX"}[p.info.By]
	return fmt.Sprintf("%s in Python, %s, derivatives %s; %d nodes, p = %d, q = %d", p.config.Name, p.config.File, by,
		p.config.Nodes, p.info.P, p.info.Q)
}

// Local implements problems.Problem.
func (p *problem) Local(i int) problems.Local { return &local{of: p, node: i} }

// Error is a failure of the user's code.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns what failed.
func (e *Error) Unwrap() error { return e.Err }

// UserCode marks the error for node.Panic.
func (e *Error) UserCode() {}

// local is a node's side of a problem.
type local struct {
	of         *problem
	node       int
	val, train []int
}

// call calls a function. It panics on a failure, which ends the run.
func (l *local) call(c call, x, y, v []float64) []float64 {
	out, err := l.ask(c, x, y, v)
	if err != nil {
		panic(&Error{fmt.Errorf("%s of node %d of %s: %w", c, l.node, l.of.config.Name, err)})
	}
	return out
}

func (l *local) ask(c call, x, y, v []float64) ([]float64, error) {
	batch := l.train
	if c == callF || c == callGradFx || c == callGradFy {
		batch = l.val
	}
	child, err := l.of.take()
	if err != nil {
		return nil, err
	}
	defer l.of.give(child)
	b := binary.LittleEndian.AppendUint32(append(child.frame(opCall), byte(c)), uint32(l.node))
	if batch == nil {
		b = binary.LittleEndian.AppendUint32(b, math.MaxUint32)
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(batch)))
		for _, s := range batch {
			b = binary.LittleEndian.AppendUint32(b, uint32(s))
		}
	}
	child.waiting.begin(os.Stderr, l.of.patience, c.String(), l.node)
	answer, err := child.ask(pack(b, vector(x), vector(y), vector(v)))
	child.waiting.end()
	if err != nil {
		return nil, err
	}
	arrays, err := unpack(answer)
	if err != nil || len(arrays) != 1 {
		return nil, errors.Join(err, errFrame)
	}
	out := arrays[0].data
	if k := notFinite(out); k >= 0 && notFinite(x) < 0 && notFinite(y) < 0 && notFinite(v) < 0 {
		return nil, fmt.Errorf("element %d of the result is %v, and all arguments are finite", k, out[k])
	}
	return out, nil
}

func notFinite(v []float64) int {
	return slices.IndexFunc(v, func(e float64) bool { return math.IsNaN(e) || math.IsInf(e, 0) })
}

// The rest implements problems.Local.

func (l *local) Dims() (int, int)                  { return l.of.Dims() }
func (l *local) F(x, y []float64) float64          { return l.call(callF, x, y, nil)[0] }
func (l *local) G(x, y []float64) float64          { return l.call(callG, x, y, nil)[0] }
func (l *local) GradFx(dst, x, y []float64)        { copy(dst, l.call(callGradFx, x, y, nil)) }
func (l *local) GradFy(dst, x, y []float64)        { l.ofY(dst, callGradFy, x, y, nil) }
func (l *local) GradGx(dst, x, y []float64)        { l.ofY(dst, callGradGx, x, y, nil) }
func (l *local) GradGy(dst, x, y []float64)        { l.ofY(dst, callGradGy, x, y, nil) }
func (l *local) HessGyyMul(dst, x, y, v []float64) { l.ofY(dst, callHessMul, x, y, v) }
func (l *local) JacGxyMul(dst, x, y, v []float64)  { l.ofY(dst, callJacMul, x, y, v) }

// ofY calls a derivative with respect to y. It is zero for a single-level problem.
func (l *local) ofY(dst []float64, c call, x, y, v []float64) {
	if l.of.info.Q == 0 {
		clear(dst)
		return
	}
	copy(dst, l.call(c, x, y, v))
}

func (l *local) HessGyy(dst *mat.SymDense, x, y []float64) {
	h, q := l.call(callHess, x, y, nil), l.of.info.Q
	for i := range q {
		for j := i; j < q; j++ {
			dst.SetSym(i, j, h[i*q+j])
		}
	}
}

func (l *local) JacGxy(dst *mat.Dense, x, y []float64) {
	dst.Copy(mat.NewDense(l.of.info.P, l.of.info.Q, l.call(callJac, x, y, nil)))
}

// HessGyyMulMat implements problems.BlockHVP column by column.
func (l *local) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	_, m := v.Dims()
	out := make([]float64, l.of.info.Q)
	for j := range m {
		l.HessGyyMul(out, x, y, mat.Col(nil, j, v))
		dst.SetCol(j, out)
	}
}

func (l *local) Samples() (val, train int) {
	return l.of.info.Samples[l.node][0], l.of.info.Samples[l.node][1]
}

func (l *local) SetBatch(val, train []int) { l.val, l.train = val, train }

// Flops returns the FLOPs that the class states for each sample, or in total if there are no samples.
func (l *local) Flops(c metrics.Call, samples int) float64 {
	of := map[metrics.Call]call{metrics.CallValue: callF, metrics.CallGradF: callGradFx, metrics.CallGradG: callGradGy,
		metrics.CallHVP: callHessMul, metrics.CallJVP: callJacMul, metrics.CallHessian: callHess,
		metrics.CallJacobian: callJac}
	name, ok := of[c]
	if !ok {
		q := float64(l.of.info.Q)
		return q*q*q/3 + 2*q*q // a solve
	}
	return l.of.info.Flops[name] * float64(max(samples, 1))
}
