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

// sharedInstance is an instance that exists while jobs need it, and then until others have
// taken its place. The memory of a study is that of the instances at work, and idleBytes, not of all.
type sharedInstance struct {
	scenario *spec.Scenario
	seed     uint64
	loader   *data.Loader
	metrics  []measure.Metric // that its problem has
	files    jsonio.Object    // that it is read from, each with its digest
	first    *build.Instance  // kept for good: that of the first point
	idle     *idlePool

	mu       sync.Mutex
	instance *build.Instance
	users    int
}

// enter builds the instance, unless it is there, and leave says that a job no longer needs it.
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

// idleBytes is what the instances that no run is at work on may need together, by what is stated of them.
const idleBytes = 128 << 20

// idleMost is how many instances may be idle: what is stated of a small one is less than it needs, and each
// that is wanted is looked for among all.
const idleMost = 64

// idlePool keeps instances that no run is at work on, those that were used last: the trials of a tuning and
// the runs of several methods want the same one, one after the other, and the first of them what was built when
// the study was checked.
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

// put takes an instance that is not in use. It ends what runs outside for it, and drops what is too large, or of
// a size that nobody knows.
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

// take returns the instance if it is there, and lets go of it; nil if not.
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
