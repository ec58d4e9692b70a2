// Package algorithms holds the methods, one file each, and what they share.
//
//	Local (a node's f and g, plain mathematics)
//	   │ metered: counted, and the node's clock moves
//	   ▼
//	Oracle ──► Algorithm.Run(p *node.Proc, o Oracle)      a straight line, like the paper's box
//	       └─► Asynchronous.Handler(o Oracle)             reactions to messages and timers
//
// A method is a struct of its hyper-parameters. Declare describes them, and says what the method updates,
// where it comes from and what differs from there; the catalog of scenarios, describe and the schema print
// that. Cost says in closed form what an outer iteration costs (see AddExchanges, AddCalls). Package
// methodtest checks that it equals the counted cost, and a few more rules for every method.
//
// Notation, as in the papers: node i of n holds f_i and g_i; x (p) is the outer variable and y (q) the inner
// one; W is the mixing matrix, w_ii a node's weight on itself, mix(s)_i = sum over j of w_ij s_j. H = ∇²_yy g
// (q x q) and J = ∇²_xy g (p x q), J_ab = ∂²g/∂x_a∂y_b. Vectors of length p or q that are only scaled and
// added cost nothing in simulated time; mixing, matrix work and oracle calls do.
package algorithms
