package python

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// method is one run of a generator in Python. One child process holds the generators of all nodes.
type method struct {
	file, name string
	outer      int
	args       map[string]any
	needs      algorithms.Requirements
	patience   time.Duration

	once   sync.Once
	child  *process
	failed error
}

// Iterations implements algorithms.Method.
func (m *method) Iterations() int { return m.outer }

// Needs implements algorithms.Method.
func (m *method) Needs() algorithms.Requirements { return m.needs }

// Cost implements algorithms.Method. The cost is unknown.
func (m *method) Cost(int, algorithms.Dims) metrics.Cost { return metrics.Cost{} }

// NoPrediction returns why there is no closed-form cost.
func (m *method) NoPrediction() string {
	return "no prediction: a method in Python states no closed-form cost"
}

// Close ends the child.
func (m *method) Close() error {
	if m.child != nil {
		m.child.kill()
	}
	return nil
}

// methodConfig describes a run to a child.
type methodConfig struct {
	Mode  string         `json:"mode"`
	File  string         `json:"file"`
	Name  string         `json:"name"`
	Outer int            `json:"outer"`
	Args  map[string]any `json:"args"`
	P     int            `json:"p"`
	Q     int            `json:"q"`
}

// peer describes a node to a child when it starts.
type peer struct {
	ID         int       `json:"id"`
	Nodes      int       `json:"nodes"`
	Role       string    `json:"role"`
	Neighbors  []int     `json:"neighbors"`
	Weights    []float64 `json:"weights"`
	SelfWeight float64   `json:"self_weight"`
	Seed       uint64    `json:"seed"`
}

// session is one node's generator.
type session struct {
	m        *method
	p        *node.Proc
	oracles  []algorithms.Oracle // by batch; 0 is all samples
	factors  []*mat.Cholesky
	reported int
	heads    map[string]wait // decoded heads of what it yielded, by their text
}

// Run implements algorithms.Algorithm.
func (m *method) Run(p *node.Proc, o algorithms.Oracle) {
	s := &session{m: m, p: p, oracles: []algorithms.Oracle{o}, reported: -1}
	m.once.Do(func() { m.failed = m.open(o) })
	if m.failed != nil {
		p.Fail(m.failed)
	}
	answer, err := s.introduction()
	for err == nil {
		var w *wait
		if w, err = s.resume(answer); w == nil {
			break
		}
		if err == nil {
			answer = pack(nil, s.await(w)...)
		}
	}
	if err != nil {
		p.Fail(fmt.Errorf("iteration %d: method %s in %s: %w", s.reported+1, m.name, m.file, err))
	}
}

// open starts the child.
func (m *method) open(o algorithms.Oracle) error {
	child, err := start(m.patience)
	if err != nil {
		return err
	}
	m.child = child
	p, q := o.Dims()
	if _, err = child.begin(methodConfig{"method", m.file, m.name, m.outer, m.args, p, q}, m.patience); err != nil {
		return fmt.Errorf("method %s in %s: %w", m.name, m.file, err)
	}
	return nil
}

func (s *session) introduction() ([]byte, error) {
	p := s.p
	role := map[node.Role]string{node.Peer: "peer", node.Server: "server", node.Client: "client"}[p.Role()]
	return json.Marshal(peer{p.ID(), p.Nodes(), role, p.Neighbors(), p.Weights(), p.SelfWeight(), p.Seed()})
}

// wait is a request that a generator yields.
type wait struct {
	kind   byte     // a place in tallynet.py's list
	Phase  string   `json:"phase"`
	Names  []string `json:"names"`
	IDs    []int    `json:"ids"`
	arrays []array
}

const (
	waitMix byte = iota
	waitExchange
	waitReceive
	waitSleep
)

const mostHeads = 1000

func (s *session) decodeWait(b []byte) (*wait, error) {
	if len(b) < 4 || int64(len(b)-4) < int64(binary.LittleEndian.Uint32(b)) {
		return nil, errFrame
	}
	n := binary.LittleEndian.Uint32(b)
	head := b[4 : 4+n]
	w, ok := s.heads[string(head)]
	if !ok {
		if err := json.Unmarshal(head, &w); err != nil {
			return nil, err
		}
		if s.heads == nil || len(s.heads) == mostHeads {
			s.heads = make(map[string]wait)
		}
		s.heads[string(head)] = w
	}
	var err error
	if w.arrays, err = unpack(b[4+n:]); err == nil && len(w.Names) != len(w.arrays) && len(w.Names) > 0 {
		err = errFrame
	}
	return &w, err
}

func (w *wait) parts() []channel.Part {
	parts := make([]channel.Part, len(w.arrays))
	for i, a := range w.arrays {
		parts[i] = channel.Part{Name: w.Names[i], Kind: metrics.Vector, Rows: a.rows, Cols: 1, Data: a.data}
		if a.cols > 0 {
			parts[i].Kind, parts[i].Cols = metrics.Matrix, a.cols
		}
	}
	return parts
}

// resume sends the generator the answer to its last wait and serves its calls until it waits again. It returns nil if
// the generator has ended.
func (s *session) resume(answer []byte) (*wait, error) {
	child := s.m.child
	child.waiting.begin(os.Stderr, s.m.patience, s.m.name, s.p.ID())
	defer child.waiting.end()
	frame := binary.LittleEndian.AppendUint32(child.frame(opResume), uint32(s.p.ID()))
	if err := child.send(append(frame, answer...)); err != nil {
		return nil, err
	}
	for {
		op, body, err := child.read()
		if err != nil {
			return nil, err
		}
		switch op {
		case opDone:
			return nil, nil
		case opError:
			return nil, &traceback{string(body)}
		case opYield:
			if len(body) < 1 {
				return nil, errFrame
			}
			w, err := s.decodeWait(body[1:])
			if err == nil {
				w.kind = body[0]
			}
			return w, err
		case opWork: // which Python does not wait for
			if err := s.work(body); err != nil {
				return nil, err
			}
			continue
		}
		reply, err := s.answer(op, body)
		if err != nil {
			if err := child.send(append(child.frame(opError), err.Error()...)); err != nil {
				return nil, err
			}
			continue
		}
		if err := child.send(pack(child.frame(opOK), reply...)); err != nil {
			return nil, err
		}
	}
}

// await carries out a wait and returns the received arrays.
func (s *session) await(w *wait) []array {
	switch w.kind {
	case waitMix:
		objects := make([]node.Mixed, len(w.arrays))
		for i, part := range w.parts() {
			objects[i] = node.Mixed{Name: part.Name, Kind: part.Kind, Rows: part.Rows, Cols: part.Cols,
				Dst: make([]float64, len(part.Data)), Src: part.Data}
		}
		s.p.MixAll(w.Phase, objects...)
		for i := range objects {
			w.arrays[i].data = objects[i].Dst
		}
		return w.arrays
	case waitExchange:
		return messages(s.p.Exchange(w.Phase, w.parts()...)...)
	case waitReceive:
		return messages(s.p.Receive(w.Phase, w.IDs...))
	case waitSleep:
		s.p.Sleep(sim.Seconds(w.arrays[0].data[0]))
		return nil
	}
	panic(fmt.Sprintf("python: a wait of kind %d", w.kind))
}

// messages encodes messages: their number and, for each, its sender, the number of its parts, and the parts.
func messages(all ...*channel.Message) []array {
	out := []array{vector([]float64{float64(len(all))})}
	for _, m := range all {
		out = append(out, vector([]float64{float64(m.From), float64(len(m.Parts))}))
		for _, part := range m.Parts {
			a := array{rows: part.Rows, data: part.Data}
			if part.Kind == metrics.Matrix {
				a.cols = part.Cols
			}
			out = append(out, a)
		}
	}
	return out
}

// answer serves a call of the generator.
func (s *session) answer(op byte, body []byte) ([]array, error) {
	switch op {
	case opReport:
		return nil, s.report(body)
	case opSend:
		w, err := s.decodeWait(body)
		if err != nil || len(w.IDs) != 1 {
			return nil, errors.Join(err, errFrame)
		}
		s.p.Send(w.IDs[0], w.Phase, w.parts()...)
		return nil, nil
	case opDraw:
		if len(body) < 4 {
			return nil, errFrame
		}
		o := s.oracles[0]
		s.oracles = append(s.oracles, o.On(o.Draw(int(binary.LittleEndian.Uint32(body)), string(body[4:]))))
		return []array{vector([]float64{float64(len(s.oracles) - 1)})}, nil
	case opOracle:
		return s.oracle(body)
	}
	return nil, fmt.Errorf("operation %d is not known", op)
}

// work counts FLOPs, which tallynet.py has checked.
func (s *session) work(body []byte) error {
	if len(body) != 8 {
		return errFrame
	}
	flops := math.Float64frombits(binary.LittleEndian.Uint64(body))
	if !(flops >= 0) || math.IsInf(flops, 0) {
		return errFrame
	}
	s.p.Work(flops)
	return nil
}

func (s *session) report(body []byte) error {
	if len(body) < 4 {
		return errFrame
	}
	k := int(binary.LittleEndian.Uint32(body))
	arrays, err := unpack(body[4:])
	if err != nil || len(arrays) != 2 {
		return errors.Join(err, errFrame)
	}
	if s.reported < 0 && k != 0 {
		return fmt.Errorf("report(%d) before report(0), which is the start", k)
	}
	if k != s.reported+1 || k > s.m.outer {
		return fmt.Errorf("report(%d) after iteration %d of %d; want report(%d)", k, s.reported, s.m.outer, s.reported+1)
	}
	s.p.Report(k, arrays[0].data, arrays[1].data)
	s.reported = k
	return nil
}

// oracle decodes and checks a call of the node's oracle.
func (s *session) oracle(body []byte) ([]array, error) {
	if len(body) < 5 {
		return nil, errFrame
	}
	c, batch := call(body[0]), binary.LittleEndian.Uint32(body[1:])
	v, err := unpack(body[5:])
	if err != nil || int64(batch) >= int64(len(s.oracles)) {
		return nil, errors.Join(err, errFrame)
	}
	o := s.oracles[batch]
	p, q := o.Dims()
	shape := []int{p, q}
	switch c {
	case callStart:
		shape = nil
	case callFactor:
		shape = []int{q * q}
	case callSolve:
		shape = []int{1, q}
	case callHessMul, callJacMul:
		shape = []int{p, q, q}
	}
	if len(v) != len(shape) {
		return nil, fmt.Errorf("%s takes %d arguments, got %d", c, len(shape), len(v))
	}
	for i, n := range shape {
		if len(v[i].data) != n {
			return nil, fmt.Errorf("%s: argument %d has %d elements; want %d", c, i+1, len(v[i].data), n)
		}
	}
	return s.compute(c, o, v)
}

func (s *session) compute(c call, o algorithms.Oracle, v []array) ([]array, error) {
	p, q := o.Dims()
	ofX, ofY := make([]float64, p), make([]float64, q)
	switch c {
	case callStart:
		o.Start(ofX, ofY)
		return []array{vector(ofX), vector(ofY)}, nil
	case callFactor:
		a := mat.NewSymDense(q, v[0].data)
		chol := new(mat.Cholesky)
		s.p.Work(float64(q) * float64(q) * float64(q) / 3)
		if !chol.Factorize(a) {
			return nil, errors.New("factor: the matrix is not positive definite")
		}
		s.factors = append(s.factors, chol)
		return []array{vector([]float64{float64(len(s.factors) - 1)})}, nil
	case callSolve:
		k := int(v[0].data[0])
		if k < 0 || k >= len(s.factors) {
			return nil, errors.New("solve: want what factor returned as the first argument")
		}
		o.Solve(ofY, s.factors[k], v[1].data)
		return []array{vector(ofY)}, nil
	}
	x, y := v[0].data, v[1].data
	out := vector(ofX)
	switch c {
	case callF:
		out = vector([]float64{o.F(x, y)})
	case callG:
		out = vector([]float64{o.G(x, y)})
	case callGradFx:
		o.GradFx(ofX, x, y)
	case callGradFy:
		o.GradFy(ofY, x, y)
		out = vector(ofY)
	case callGradGx:
		o.GradGx(ofX, x, y)
	case callGradGy:
		o.GradGy(ofY, x, y)
		out = vector(ofY)
	case callHessMul:
		o.HessGyyMul(ofY, x, y, v[2].data)
		out = vector(ofY)
	case callJacMul:
		o.JacGxyMul(ofX, x, y, v[2].data)
	case callHess:
		h := mat.NewSymDense(q, nil)
		o.HessGyy(h, x, y)
		out = array{q, q, mat.DenseCopyOf(h).RawMatrix().Data}
	case callJac:
		j := mat.NewDense(p, q, nil)
		o.JacGxy(j, x, y)
		out = array{p, q, j.RawMatrix().Data}
	default:
		return nil, fmt.Errorf("function %d is not known", c)
	}
	return []array{out}, nil
}
