// Package topologies has the graphs over which nodes talk, the mixing matrices with which
// they average, and what is known of both before a run: degrees, diameter, spectral gap, a
// drawing.
//
//	   0 ─── 1          [ 1/3 1/3  0  1/3 ]
//	   │     │     ─►   [ 1/3 1/3 1/3  0  ]   ─►   λ2 = 1/3, λn = -1/3, gap = 2/3
//	   3 ─── 2          [  0  1/3 1/3 1/3 ]
//	                    [ 1/3  0  1/3 1/3 ]
//
//	Ring(4): a Graph     Metropolis: a Mixing            Spectrum
//
// A Graph never changes once it is made. Its neighbour lists are sorted and stored in one
// array, one after the other, so that a ring takes 24 bytes per node. Every family of graphs
// is one function; a random family takes the stream from which it draws, so that equal seeds
// give equal graphs. A Mixing stores its weights in the order of the neighbour lists.
//
// Graphs are undirected and simple: no self-loops, no double edges. Sizes that a family
// cannot have, and matrices that are not symmetric and doubly stochastic, are errors that
// say what would be right. The package knows nothing of links, delays or messages.
package topologies
