package scenarios

import "tallynet/sim"

// The tables of the file's sections. The kind of a topology, problem, mixing matrix,
// jitter or straggler chooses a table of its own; those are Entries.

const noCall sim.Time = -1

func scenarioParams() []Param {
	return []Param{
		{Name: "version", Kind: Int, Required: true, Example: "1", About: "the version of the file format", Range: AtLeast(1)},
		{Name: "name", Kind: String, About: "the name of the scenario; the file's own name where none is given"},
		{Name: "about", Kind: String, About: "one sentence on the question that the scenario asks"},
		{Name: "seed", Kind: Any, About: "the seed of all random streams", Example: "1"},
		{Name: "seeds", Kind: Any, About: "replicates: a number k for the seeds 1..k, or a list of seeds", Example: "10"},
		{Name: "topology", Kind: Any, Required: true, Example: "{kind: ring, nodes: 8}", About: "who talks to whom, and the mixing matrix"},
		{Name: "network", Kind: Section, About: "the links", Params: networkParams()},
		{Name: "compute", Kind: Section, About: "the machines", Params: computeParams()},
		{Name: "wire", Kind: Any, Default: "float64", About: "the format of numbers on the wire",
			Enum: []string{"float64", "float32", "float16", "bfloat16"}},
		{Name: "problem", Kind: Any, Required: true, Example: "{kind: quadratic, p: 3, q: 5}", About: "what is optimized"},
		{Name: "algorithms", Kind: Any, Required: true, Example: "[{name: dagm, alpha: 0.01, beta: 0.01}]", About: "the methods to compare"},
		{Name: "stop", Kind: Section, About: "when a run ends: whichever comes first", Params: stopParams()},
		{Name: "record", Kind: Section, About: "what is kept of a run", Params: recordParams()},
		{Name: "sweep", Kind: Any, About: "a study: a map of keys to lists of values; each combination is a grid point"},
		{Name: "points", Kind: Any, About: "a study: a list of points, each a map of keys to values; with a sweep, each times its grid"},
		{Name: "claims", Kind: Sections, About: "statements about the runs, as a paper makes them, that are checked", Params: claimParams()},
		{Name: "tables", Kind: Sections, About: "tables of a paper that are made again from the runs", Params: tableParams()},
		{Name: "small", Kind: Any, About: "what makes the small form of the scenario that tests run: a map of keys to values, as of --set"},
		{Name: "faults", Later: "faults of links and machines"},
		{Name: "trace", Later: "writing a trace"},
	}
}

func claimParams() []Param {
	return []Param{
		{Name: "text", Kind: String, Required: true, Example: "DAGM sends no matrix", About: "what is claimed, in words"},
		{Name: "source", Kind: String, Required: true, Example: "Nazari et al., Table 2", About: "where it is printed"},
		{Name: "printed", Kind: Any, About: "the number or words there"},
		{Name: "check", Kind: String, Required: true, Example: `"dagm.totals.matrix_bytes == 0"`, About: "an expression over the runs that is true where the claim holds"},
		{Name: "expected", Kind: Enum, Default: "holds", Enum: []string{"holds", "differs"}, About: "differs: it is known not to hold, and counts separately"},
		{Name: "reason", Kind: String, Only: "expected: differs", Example: "the paper counts once per node", About: "why it differs"},
		{Name: "exact", Kind: Bool, Default: false, About: "the printed numbers or formulas are met, not only an order or a trend; the check has equalities only"},
		{Name: "small", Kind: Bool, Default: true, About: "false: the small form of the scenario cannot show it"},
	}
}

func tableParams() []Param {
	return []Param{
		{Name: "name", Kind: String, Required: true, Example: "table-2", About: "the name of its files: letters, digits and hyphens"},
		{Name: "title", Kind: String, Required: true, Example: "Bytes to accuracy", About: "what the cells are, with their unit"},
		{Name: "source", Kind: String, Required: true, Example: `"Nazari et al., Table 2"`, About: "where it is printed"},
		{Name: "columns", Kind: Strings, Required: true, Example: "[d2 = 10, d2 = 20]", About: "the heads of the columns"},
		{Name: "rows", Kind: Sections, Required: true, Example: `[{name: DAGM, cells: '[dagm.totals.payload_bytes]'}]`, About: "the rows", Params: []Param{
			{Name: "name", Kind: String, Required: true, Example: "DAGM", About: "the head of the row"},
			{Name: "cells", Kind: String, Required: true, Example: `'[dagm.totals.payload_bytes]'`, About: "an expression over the runs, as of a check, that gives one number for each column"},
			{Name: "printed", Kind: Any, About: "what is printed there: a list of numbers or words, one for each column"},
		}},
		{Name: "x", Kind: Floats, Example: "[10, 20]", About: "the columns as numbers: the table is drawn too, a line for each row"},
		{Name: "xlabel", Kind: String, About: "the name of the horizontal axis"},
		{Name: "ylabel", Kind: String, About: "the name of the vertical axis"},
		{Name: "scale", Kind: Enum, Default: "linear", Enum: []string{"linear", "log"}, About: "of both axes"},
	}
}

func networkParams() []Param {
	return []Param{
		{Name: "latency", Kind: Duration, Default: sim.Millisecond, Example: "1ms", Range: AtLeast(0), About: "the time that a bit travels"},
		{Name: "bandwidth", Kind: Bandwidth, Default: Rate(1e9), Example: "1Gbit/s", Range: Above(0), About: "of each direction of a link, or unlimited"},
		{Name: "duplex", Kind: Enum, Default: "full", Enum: []string{"full"}, NotYet: []string{"half"}, About: "whether both directions send at once"},
		{Name: "jitter", Kind: Any, About: "a random extra latency; never reorders a link"},
		{Name: "overhead", Kind: Section, Example: "{message: 40B, packet: 66B, mtu: 1500B}", About: "headers, counted and sent", Params: []Param{
			{Name: "message", Kind: Bytes, Default: Size(0), Example: "40B", Range: AtLeast(0), About: "bytes added to each message"},
			{Name: "packet", Kind: Bytes, Default: Size(0), Example: "66B", Range: AtLeast(0), About: "bytes added to each packet"},
			{Name: "mtu", Kind: Bytes, Example: "1500B", Range: Above(0), About: "the most payload of a packet; a message is one packet where it is left out"},
		}},
		{Name: "contention", Kind: Enum, Default: "dedicated", Enum: []string{"dedicated", "nic"}, NotYet: []string{"shared"},
			About: "what messages wait for: their link alone, or the interfaces of both nodes too"},
		{Name: "nic", Kind: Section, Example: "{up: 1Gbit/s, down: 1Gbit/s}", About: "each node's interface, with contention: nic", Params: []Param{
			{Name: "up", Kind: Bandwidth, Required: true, Example: "1Gbit/s", Range: Above(0), About: "the bandwidth of a node's uplink"},
			{Name: "down", Kind: Bandwidth, Required: true, Example: "1Gbit/s", Range: Above(0), About: "the bandwidth of a node's downlink"},
			{Name: "nodes", Kind: Sections, About: "nodes with other interfaces", Params: []Param{
				{Name: "node", Kind: Ints, Required: true, Example: "0", Range: AtLeast(0), About: "a node, or a list of nodes"},
				{Name: "up", Kind: Bandwidth, Example: "100Mbit/s", Range: Above(0), About: "the bandwidth of the uplink"},
				{Name: "down", Kind: Bandwidth, Example: "100Mbit/s", Range: Above(0), About: "the bandwidth of the downlink"},
			}},
		}},
		{Name: "links", Kind: Sections, About: "links that differ", Params: []Param{
			{Name: "from", Kind: Int, Required: true, Example: "0", Range: AtLeast(0), About: "one end"},
			{Name: "to", Kind: Int, Required: true, Example: "1", Range: AtLeast(0), About: "the other end"},
			{Name: "oneway", Kind: Bool, Default: false, About: "only the direction from -> to differs"},
			{Name: "latency", Kind: Duration, Example: "10ms", Range: AtLeast(0), About: "the time that a bit travels"},
			{Name: "bandwidth", Kind: Bandwidth, Example: "10Mbit/s", Range: Above(0), About: "of each direction"},
		}},
		{Name: "loss", Later: "loss of messages"},
		{Name: "profile", Later: "a named network profile"},
		{Name: "medium", Later: "a broadcast medium"},
		{Name: "routes", Later: "an underlay network"},
	}
}

func callParams() []Param {
	call := func(name, about string) Param {
		return Param{Name: name, Kind: Duration, Example: "1ms", Range: AtLeast(0), About: about}
	}
	return []Param{
		call("grad_f", "a gradient of f, to x or to y"), call("grad_g", "a gradient of g, to x or to y"),
		call("hvp", "a product of the Hessian of g with a vector"), call("jvp", "a product of the cross derivative of g with a vector"),
		call("hessian", "the Hessian of g formed"), call("jacobian", "the cross derivative of g formed"),
		call("solve", "a linear solve with a q x q matrix"),
		{Name: "round", Kind: Duration, Default: sim.Time(0), Example: "1ms", Range: AtLeast(0), About: "charged once for each exchange"},
	}
}

func machineParams() []Param {
	return []Param{
		{Name: "speed", Kind: Flops, Example: "10GFLOP/s", Range: Above(0),
			About: "the speed of all that has no duration of its own, or unlimited (the default beside calls; 10GFLOP/s without them)"},
		{Name: "calls", Kind: Section, Example: "{grad_f: 1ms, grad_g: 1ms}", About: "durations of oracle calls", Params: callParams()},
	}
}

func computeParams() []Param {
	return append(machineParams(),
		Param{Name: "straggler", Kind: Any, About: "a random slowdown"},
		Param{Name: "nodes", Kind: Sections, About: "nodes with other machines", Params: append([]Param{
			{Name: "node", Kind: Ints, Required: true, Example: "0", Range: AtLeast(0), About: "a node, or a list of nodes"},
		}, machineParams()...)})
}

// defaultGrowth is how far grad_norm2 may grow before a run counts as diverged.
const defaultGrowth = 1e8

func stopParams() []Param {
	ps := []Param{
		{Name: "iterations", Kind: Int, Example: "1000", Range: AtLeast(1), About: "outer iterations; an algorithm's own outer counts too, where it is smaller"},
		{Name: "time", Kind: Duration, Example: "60s", Range: Above(0), About: "simulated time"},
		{Name: "payload", Kind: Bytes, Example: "1GB", Range: Above(0), About: "payload bytes of all nodes"},
		{Name: "growth", Kind: Float, Default: defaultGrowth, Example: "1e8", Range: Above(1), About: "how far grad_norm2 may grow over its first value before the run counts as diverged"},
	}
	all := metricParams()
	ps = append(ps, Param{Name: "target", Kind: Section, Params: all, Example: "{grad_norm2: 1e-4, test_accuracy: 0.9}",
		About: "metrics that end the run where they hold all at once"})
	return append(ps, all...)
}

// metricParams are the metrics as keys, each with the value that it is to reach.
func metricParams() []Param {
	var ps []Param
	for _, m := range Metrics() {
		about := "at most this: " + m.About
		if m.More {
			about = "at least this: " + m.About
		}
		ps = append(ps, Param{Name: m.Name, Kind: Float, Example: "1e-4", About: about})
	}
	return ps
}

func recordParams() []Param {
	return []Param{
		{Name: "every", Kind: Int, Default: 1, Example: "1", Range: AtLeast(1), About: "iterations between samples"},
		{Name: "metrics", Kind: Strings, Enum: metricNames(), Example: "[grad_norm2, objective]", About: "what is evaluated; all that the problem has, where left out"},
		{Name: "iterates", Kind: Enum, Default: "none", Enum: []string{"none", "final", "all"}, About: "which x_i and y_i are kept"},
	}
}

func tuneParams() []Param {
	return []Param{
		{Name: "grid", Kind: Any, Required: true, Example: "{alpha: [0.1, 1]}", About: "the parameters to try, each with its values"},
		{Name: "by", Kind: Enum, Required: true, Example: "payload_bytes", Enum: append(costs(), metricNames()...), About: "what the best has least of (or most, of an accuracy)"},
		{Name: "to", Kind: Any, Example: "{grad_norm2: 1e-4}", About: "the target: a metric and its value, or several that hold at once; reached where they hold to the end of the trial"},
	}
}

func jitterKinds() []Entry {
	mean := Param{Name: "mean", Kind: Duration, Required: true, Example: "100us", Range: Above(0), About: "the mean extra latency"}
	return []Entry{
		{Name: "none", Summary: "no jitter"},
		{Name: "uniform", Summary: "uniform between 0 and twice the mean", Params: []Param{mean}},
		{Name: "exponential", Summary: "exponential", Params: []Param{mean}},
		{Name: "normal", Summary: "normal, cut off at zero", Params: []Param{mean,
			{Name: "deviation", Kind: Duration, Required: true, Example: "20us", Range: Above(0), About: "the standard deviation"}}},
	}
}

func stragglerKinds() []Entry {
	common := []Param{
		{Name: "nodes", Kind: Ints, Example: "[3]", Range: AtLeast(0), About: "who is slow at times; all nodes where left out"},
	}
	window := Param{Name: "window", Kind: Duration, Default: sim.Second, Example: "1s", Range: Above(0), About: "how long a drawn factor holds"}
	random := append([]Param{window}, common...)
	return []Entry{
		{Name: "none", Summary: "no straggler"},
		{Name: "constant", Summary: "always slower by a factor", Params: append([]Param{
			{Name: "factor", Kind: Float, Required: true, Example: "4", Range: Above(0), About: "times are multiplied by it"}}, common...)},
		{Name: "lognormal", Summary: "factor exp(sigma N(0,1)), median 1", Params: append([]Param{
			{Name: "sigma", Kind: Float, Required: true, Example: "0.5", Range: AboveUpTo(0, 10), About: "the standard deviation of the factor's logarithm"}}, random...)},
		{Name: "exponential", Summary: "factor 1 + Exp(mean)", Params: append([]Param{
			{Name: "mean", Kind: Float, Required: true, Example: "0.5", Range: AboveUpTo(0, 1e6), About: "the mean of what is added to 1"}}, random...)},
		{Name: "pareto", Summary: "factor Pareto with minimum 1", Params: append([]Param{
			{Name: "shape", Kind: Float, Required: true, Example: "2.5", Range: Above(0), About: "the smaller, the heavier the tail"}}, random...)},
	}
}
