package algorithms

// oneNode is what a bilevel method without communication needs: its network is one
// node, {kind: complete, nodes: 1}.
func oneNode() Requirements { return Requirements{Bilevel: true, OneNode: true} }
