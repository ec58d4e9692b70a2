// Package problems provides concrete bilevel problems
//
//	min_x (1/n) Σ_i f_i(x, y*(x)),  y*(x) = argmin_y (1/n) Σ_i g_i(x, y),  x in R^p, y in R^q,
//
// split over n nodes, and single-level ones: those have q = 0, f_i depends on x alone,
// and g_i is zero.
//
//	kind                                config ─► constructor                        Solved  Scorer
//	quadratic                           QuadraticSpec, QuadraticConfig, a JSON file    x
//	conditioned                         ConditionedConfig                              x
//	consensus                           ConsensusConfig                                x
//	learning problems over samples      TaskConfig                                     x       x
//	hyper-text                          TextConfig                                             x
//	toy-coreset, -minimax, -degenerate  ToyConfig                                      x
//
// A learning problem is a linear model, a loss, a regularizer, and the place where x enters:
//
//	f_i(x, y) = mean loss over validation samples              modelFormulas
//	g_i(x, y) = mean loss over training samples + regularizer
//
//	risk         the mean loss and its derivatives: marginRisk, softmaxRisk
//	regularizer  a constant or exp(x) times squares
//	coupling     where x enters: the regularizer, weightedRisk, liftedRisk or encodedRisk
//
// Of the learning problems, least-squares is Solved, and those with classes are Scorers. Toys
// are Known, and those with a single optimal point are Solved. If y*(x) is not the
// unique zero of the gradient of g, the problem is InnerSolved or Unmeasurable.
//
// Layouts are fixed: vectors are slices of length p or q. The Hessian ∇²_yy g is
// q x q. The cross derivative J = ∇²_xy g is p x q, J_ab = ∂²g / ∂x_a ∂y_b, so that
// J v with v in R^q is ∇_x ⟨∇_y g, v⟩ in R^p. A softmax model's C x d matrix is
// flattened class by class: y[c d + j] is the weight of feature j for class c.
//
// A Problem holds the data, which are read-only. A Local is one node's oracle with its
// own scratch space; different Locals may run on different goroutines. A kind of
// problem states its formulas, and one oracle type checks lengths and counts costs for
// all of them. Formulas keep what they derived at the last point and reuse it if all
// coordinates are equal bit by bit. That changes no result: the value of a call depends
// only on its arguments and the batch. Flops gives the cost of a call without reuse.
//
// All random numbers come from sim.Stream(seed, purpose, node), where purpose is
// "data", "test", "partition" or "start". So a node's data do not depend on the number
// of nodes (where the kind allows it), and never on the algorithm.
// Package catalog states the range of each parameter, and a configuration outside it is a bug.
// A parameter that does not fit the data or another one gives a keys.ParamError. A wrong length is
// a bug and panics.
//
// Package problems/data finds and reads data sets. Package problems/oracletest checks
// any Local, including a user's own, against finite differences.
package problems
