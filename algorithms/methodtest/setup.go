package methodtest

import (
	"fmt"
	"slices"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/node"
	"tallynet/sim"
	"tallynet/topologies"
)

// network is a graph with weights. Its nodes have identities; a setup can give them other numbers.
type network struct {
	name   string
	w      *topologies.Mixing
	server bool // node 0 is a server
}

// networks returns the networks that a method can run on, the single node first.
func networks(needs algorithms.Requirements) []network {
	var all []network
	if needs.Server != algorithms.ServerRequired {
		all = append(all, networkOn("one node", topologies.Complete, 1))
		switch {
		case needs.OneNode:
		case needs.Ring:
			all = append(all,
				networkOn("two nodes", topologies.Path, 2),
				networkOn("a triangle", topologies.Complete, 3),
				networkOn("a ring of 5", topologies.Ring, 5))
		default:
			all = append(all,
				networkOn("two nodes", topologies.Path, 2),
				networkOn("a path of 4", topologies.Path, 4),
				networkOn("a star of 5", func(n int) (topologies.Plan, error) { return topologies.Star(n, 0) }, 5),
				networkOn("the complete graph of 4", topologies.Complete, 4),
				networkOn("a random graph of 6", func(n int) (topologies.Plan, error) {
					return topologies.ErdosRenyi(n, .5, sim.Stream(2, "graph"))
				}, 6),
				networkOn("a ring of 5", topologies.Ring, 5))
		}
	}
	if needs.Server != algorithms.ServerRefused {
		for _, clients := range []int{1, 4} {
			n := networkOn(fmt.Sprintf("a server with %d client(s)", clients), func(n int) (topologies.Plan, error) {
				return topologies.Star(n, 0)
			}, clients+1)
			n.server = true
			all = append(all, n)
		}
	}
	return all
}

func networkOn(name string, family func(nodes int) (topologies.Plan, error), nodes int) network {
	g, err := topologies.Make(family(nodes))
	if err != nil {
		panic("methodtest: " + err.Error())
	}
	return network{name: name, w: topologies.Metropolis(g)}
}

func (n network) nodes() int { return n.w.Nodes() }

// data returns the identities of the nodes that hold data.
func (n network) data() []int {
	var ids []int
	for i := range n.nodes() {
		if !n.server || i > 0 {
			ids = append(ids, i)
		}
	}
	return ids
}

// setup is a network, a problem and the conditions of a run.
type setup struct {
	network
	p, q    int
	bend    float64 // see local
	numbers []int   // by who a node is: its number; nil: the same
	seed    uint64
	streams []int // by who a node is: the key of its random streams; nil: who it is
	slow    bool  // links and machines are slow and unequal, with jitter and stragglers
	apart   bool  // each node has an instance of the method of its own
	helped  bool  // programs run ahead on other cores
}

// dimensions are the p and q of the problems.
func (s *suite) dimensions() [][2]int {
	if s.needs.SingleLevel {
		return [][2]int{{3, 0}, {1, 0}, {4, 0}}
	}
	return [][2]int{{3, 4}, {1, 1}, {4, 2}, {2, 1}, {1, 3}}
}

// setups are problems of all dimensions on all networks.
func (s *suite) setups() []setup {
	var all []setup
	for _, n := range networks(s.needs) {
		for _, d := range s.dimensions() {
			all = append(all, s.on(n, d[0], d[1]))
		}
	}
	return all
}

func (s *suite) on(n network, p, q int) setup {
	return setup{network: n, p: p, q: q, bend: .5, seed: uint64(10*p + q)}
}

// typical returns the setup of the last network, which has several nodes if the method allows it, with p and
// q above 1.
func (s *suite) typical() setup {
	all, d := networks(s.needs), s.dimensions()[0]
	return s.on(all[len(all)-1], d[0], d[1])
}

func (u setup) String() string {
	text := fmt.Sprintf("%s, p = %d, q = %d", u.name, u.p, u.q)
	if u.numbers != nil {
		text += fmt.Sprintf(", nodes numbered %v", u.numbers)
	}
	if u.slow {
		text += ", slow links"
	}
	return text
}

func (u setup) dims() algorithms.Dims {
	return algorithms.Dims{P: u.p, Q: u.q, Nodes: u.nodes(), Links: 2 * u.w.Graph().Edges(), Server: u.server}
}

// number returns the number of a node.
func (u setup) number(id int) int {
	if u.numbers == nil {
		return id
	}
	return u.numbers[id]
}

// ids returns the identities of the nodes by number.
func (u setup) ids() []int {
	ids := make([]int, u.nodes())
	for id := range ids {
		ids[u.number(id)] = id
	}
	return ids
}

// share returns what a node holds.
func (s *suite) share(u setup, id int) *share {
	key := [3]int{id, u.p, u.q}
	if s.shares[key] == nil {
		s.shares[key] = newShare(id, u.p, u.q)
	}
	return s.shares[key]
}

// start returns where a node starts. A server and its clients start at one point.
func (s *suite) start(u setup, id int) (x0, y0 []float64) {
	if u.server {
		id = 0
	}
	h := s.share(u, id)
	return h.x0, h.y0
}

// config returns the configuration of the network by the numbers of its nodes.
func (u setup) config() node.Config {
	ids := u.ids()
	cfg := node.Config{
		Seed: u.seed, Verify: true,
		Link: func(int, int) (sim.Time, int64) { return 0, channel.Unlimited },
	}
	for _, id := range ids {
		cfg.Peers = append(cfg.Peers, u.peers(id))
		stream := id
		if u.streams != nil {
			stream = u.streams[id]
		}
		cfg.Streams = append(cfg.Streams, stream)
		role := node.Peer
		if u.server {
			role = node.Client
			if id == 0 {
				role = node.Server
			}
		}
		cfg.Roles = append(cfg.Roles, role)
	}
	if u.slow {
		u.slowDown(&cfg, ids)
	}
	if u.helped {
		cfg.Helpers, cfg.Worth = sim.NewHelpers(sim.NewCores(4)), 1e-9
	}
	return cfg
}

// peers returns the neighbours of a node, ascending by number.
func (u setup) peers(id int) node.Peers {
	p := node.Peers{SelfWeight: u.w.Self(id)}
	for _, other := range u.w.Graph().Neighbors(id) {
		p.Neighbors = append(p.Neighbors, u.number(other))
	}
	slices.Sort(p.Neighbors)
	ids := u.ids()
	p.Weights = make([]float64, len(p.Neighbors))
	for k, number := range p.Neighbors {
		p.Weights[k] = u.w.At(id, ids[number])
	}
	return p
}

// slowDown makes links and machines slow and unequal, by identity.
func (u setup) slowDown(cfg *node.Config, ids []int) {
	cfg.Link = func(from, to int) (sim.Time, int64) {
		a, b := sim.Time(ids[from]), sim.Time(ids[to])
		return sim.Millisecond + (311*a+173*b+97*a*b)*sim.Microsecond, 1e6 + 1e5*int64(a)
	}
	cfg.Jitter = channel.Jitter{Kind: channel.Exponential, Mean: 2 * sim.Millisecond}
	for _, id := range ids {
		m := node.Machine{
			FlopsPerSecond: 1e5 / int64(1+(3*id)%5), Round: sim.Time(10+7*id) * sim.Microsecond,
			Straggler: node.Straggler{Kind: node.LogNormal, Sigma: 1, Window: 5 * sim.Millisecond},
		}
		for c := range m.Calls {
			m.Calls[c] = node.ByFlops
		}
		cfg.Machines = append(cfg.Machines, m)
	}
}
