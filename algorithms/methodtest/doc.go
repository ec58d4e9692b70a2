// Package methodtest checks the rules that hold for every method. A module with a
// method of its own runs it in five lines:
//
//	func TestMine(t *testing.T) {
//		methodtest.Run(t, methodtest.Case{
//			Name: "mine",
//			New:  func() algorithms.Method { return Mine{Outer: 4, Alpha: 0.1} },
//		})
//	}
//
// The method runs on small problems whose nodes differ and hold samples, over several
// graphs and dimensions:
//
//	cost          what is counted equals Cost in every iteration; a bound is met, and not slack
//	one node      a node by itself sends nothing
//	renumbering   nodes that are renumbered do what they did before
//	time          slow links and machines do not change what a synchronous method computes
//	streams       random numbers come from the node's own streams
//	twin          the iterates equal those of a second, plain implementation, where one is given
//	determinism   a run gives the same digest again, with another GOMAXPROCS, where each node
//	              has an instance of the method of its own and, if all checks pass, on several cores
//
// Every run verifies its messages (node.Config.Verify) and that they are conserved. The suite does not test
// convergence, which depends on the parameters.
package methodtest
