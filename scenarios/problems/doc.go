// Package problems has the concrete bilevel problems
//
//	min_x (1/n) Σ_i f_i(x, y*(x)),  y*(x) = argmin_y (1/n) Σ_i g_i(x, y),  x in R^p, y in R^q,
//
// split over n nodes, and the single-level ones, which are those with q = 0: then
// f_i is a function of x alone and g_i is zero.
//
//	kind                                config ─► constructor                        Solved  Scorer
//	quadratic                           QuadraticSpec, QuadraticConfig, a JSON file    x
//	consensus                           ConsensusConfig                                x
//	least-squares, logistic             SingleConfig                                   x       x
//	hyper-ridge, -logistic, -softmax,
//	-svm, -l2                           HyperConfig                                            x
//	hyper-cleaning                      CleaningConfig                                         x
//	hyper-text                          TextConfig                                             x
//	hyper-representation                RepresentationConfig                                   x
//	fair-loss                           FairConfig                                             x
//	toy-coreset, -minimax, -degenerate  ToyConfig                                      x
//
// (least-squares is Solved; logistic, and whatever has classes, is a Scorer. Toys are
// Known, and those with a single optimal point Solved. Problems whose y*(x) is not a
// unique zero of the gradient of g say so: see InnerSolved and Unmeasurable.)
//
// Layouts are fixed. Vectors are slices of length p or q. The Hessian ∇²_yy g is
// q x q. The cross derivative J = ∇²_xy g is p x q, J_ab = ∂²g / ∂x_a ∂y_b, so that
// J v with v in R^q is ∇_x ⟨∇_y g, v⟩ in R^p. A softmax model's C x d matrix is
// flattened class after class: y[c d + j] weighs feature j for class c.
//
// A Problem holds the data, read-only. A Local is one node's oracle with its own
// scratch space: any number of them may work on different goroutines. A Local
// remembers the margins of the last point that it saw and uses them again if all
// coordinates are equal bit by bit. That changes no result: a call's value depends
// on its arguments and the batch only, never on earlier calls. Flops states what a
// call costs without that memory.
//
// All random numbers come from sim.Stream(seed, purpose, node), purpose being
// "data", "test", "partition" or "start": a node's data do not depend on the number
// of nodes (where the kind allows it), and never on the algorithms that run on them.
// Parameters that are wrong give an error that starts with the field's name in a
// scenario file; wrong lengths are bugs and panic.
//
// Data sets are found and read by problems/data; problems/oracletest checks any
// Local, also a user's own, against finite differences.
package problems
