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
//	determinism   a run gives the same digest again, with another GOMAXPROCS, and where
//	              each node has an instance of the method of its own
//	renumbering   nodes that are renumbered do what they did before
//	time          slow links and machines do not change what a synchronous method computes
//	streams       random numbers come from the node's own streams
//	twin          the iterates equal those of a second, plain implementation, where one is given
//	cores         several cores give the digest of one; this check runs where all others pass
//
// A program may touch its own node's memory only: see package node. Where nodes share some, the checks on one core find
// that most of them compute something else, and go test -race finds the rest in the check cores.
//
// Every run verifies its messages (node.Config.Verify) and that they are conserved. The suite does not test
// convergence, which depends on the parameters.
package methodtest
