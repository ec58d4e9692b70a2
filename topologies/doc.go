// Package topologies has the graphs that nodes talk over, the mixing matrices that
// they average with, and what is known of both before a run: degrees, diameter,
// spectral gap, a drawing.
//
//	   0 ─── 1          [ 1/3 1/3  0  1/3 ]
//	   │     │     ─►   [ 1/3 1/3 1/3  0  ]   ─►   λ2 = 1/3, λn = -1/3, gap = 2/3
//	   3 ─── 2          [  0  1/3 1/3 1/3 ]
//	                    [ 1/3  0  1/3 1/3 ]
//
//	Ring(4): a Graph     Metropolis: a Mixing            Spectrum
//
// A Graph never changes once it is made. Its neighbour lists are sorted and lie one
// behind the other in one array, so that a ring of a million nodes costs 24 bytes a
// node. Every family of graphs is one function; a random family takes the stream
// that it draws from, so that equal seeds give equal graphs. A Mixing has the weights
// in the same order as the neighbour lists.
//
// Sizes that a family cannot have, and matrices that are not symmetric and doubly
// stochastic, are errors that say what would do. Graphs are undirected and simple:
// no self loops, no double edges. The package knows no links, delays or messages.
package topologies
