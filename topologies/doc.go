// Package topologies provides the graphs over which nodes communicate, the mixing matrices with which
// they average, and the properties of both that are known before a run: degrees, diameter, spectral gap
// and a drawing.
//
//	   0 ─── 1          [ 1/3 1/3  0  1/3 ]
//	   │     │     ─►   [ 1/3 1/3 1/3  0  ]   ─►   λ2 = 1/3, λn = -1/3, gap = 2/3
//	   3 ─── 2          [  0  1/3 1/3 1/3 ]
//	                    [ 1/3  0  1/3 1/3 ]
//
//	Ring(4): a Graph     Metropolis: a Mixing            Spectrum
//
// A Graph never changes once it is made. Its neighbour lists are sorted and stored in one
// array, so that a ring takes 24 bytes per node. Every family of graphs is one function that
// checks its parameters and returns a Plan, which knows the size and makes the graph. A random
// family draws from a given stream, so that equal seeds give equal graphs.
//
// Graphs are undirected and simple: no self-loops, no double edges. Parameters that a family
// does not allow, and matrices that are not symmetric and doubly stochastic, are errors that
// say what would be valid. The package does not know links, delays or messages.
package topologies
