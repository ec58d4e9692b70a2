package algorithms

// These types are embedded in methods whose requirements they state.
type (
	onOneNode       struct{} // bilevel, without communication
	onOneNodeOrStar struct{} // the same, or on a star with a server, where averaged represents the data of all clients
	bilevel         struct{}
	personal        struct{} // bilevel, with a y of each node's own
	restarting      struct{} // no inner problem; it may return to its starting point
	onDirected      struct{} // a node needs to know only how many neighbours it sends to, as on directed graphs
	withOwnMemory   struct{} // it compresses differences itself
)

func (onOneNode) Needs() Requirements { return Requirements{Bilevel: true, OneNode: true} }

func (onOneNodeOrStar) Needs() Requirements {
	return Requirements{Bilevel: true, OneNode: true, Server: ServerAllowed, Draws: true}
}

func (bilevel) Needs() Requirements { return Requirements{Bilevel: true} }

func (personal) Needs() Requirements { return Requirements{Bilevel: true, PersonalY: true} }

func (restarting) Needs() Requirements { return Requirements{SingleLevel: true, Restarts: true} }

func (onDirected) Needs() Requirements {
	return Requirements{SingleLevel: true, Directed: true, AllNeighbors: true, Uncompressed: true}
}

func (withOwnMemory) Needs() Requirements {
	return Requirements{SingleLevel: true, SymmetricW: true, AllNeighbors: true, OwnMemory: true, FixedW: true}
}
