package study

import (
	"io"
	"slices"
	"sync"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/build"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// sharedInstance is an instance that is built when a job needs it. Only active instances and idleBytes of idle ones
// stay in memory.
type sharedInstance struct {
	scenario *spec.Scenario
	seed     uint64
	loader   *data.Loader
	metrics  []measure.Metric // of its problem
	files    jsonio.Object    // with their digests
	first    *build.Instance  // never dropped: the one of the first point
	idle     *idlePool

	mu       sync.Mutex
	instance *build.Instance
	users    int
}

// enter returns the instance, and builds it first if necessary. Each call is paired with one of leave.
func (p *sharedInstance) enter() (*build.Instance, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.instance == nil {
		p.instance = p.idle.take(p)
	}
	if p.instance == nil {
		in, err := build.Build(p.scenario, p.seed, p.loader)
		if err != nil {
			return nil, err
		}
		p.instance = in
	}
	p.users++
	return p.instance, nil
}

func (p *sharedInstance) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 && p.instance != p.first {
		p.idle.put(p, p.instance)
		p.instance = nil
	}
}

// idleBytes bounds the stated memory of all idle instances.
const idleBytes = 128 << 20

// idleMost bounds the number of idle instances: a small one needs more memory than it states, and lookup is linear.
const idleMost = 64

// idlePool keeps the most recently used idle instances. Trials of a tuning and runs of several methods use the same
// instance one after the other, beginning with the one that was built to check the study.
type idlePool struct {
	mu    sync.Mutex
	kept  []idleInstance // in the order of their last use
	bytes float64        // that they need together
}

type idleInstance struct {
	of       *sharedInstance
	instance *build.Instance
	bytes    float64
}

// put adds an idle instance. It closes and drops one with a process of its own, one that is too large, and one of
// unknown size.
func (d *idlePool) put(of *sharedInstance, in *build.Instance) {
	s := in.Scenario
	_, outside := in.Problem.(io.Closer)
	_, known := build.Size(s, s.Problem.Args, s.Topology.DataNodes(), nil)
	bytes := in.Bytes()
	if outside || !known || bytes > idleBytes {
		in.Close()
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept, d.bytes = append(d.kept, idleInstance{of, in, bytes}), d.bytes+bytes
	for d.bytes > idleBytes || len(d.kept) > idleMost {
		d.bytes -= d.kept[0].bytes
		d.kept = slices.Delete(d.kept, 0, 1)
	}
}

// take removes the instance from the pool and returns it, or returns nil.
func (d *idlePool) take(of *sharedInstance) *build.Instance {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.kept, func(k idleInstance) bool { return k.of == of })
	if i < 0 {
		return nil
	}
	k := d.kept[i]
	d.kept, d.bytes = slices.Delete(d.kept, i, i+1), d.bytes-k.bytes
	return k.instance
}
