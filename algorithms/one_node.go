package algorithms

// oneNode returns the requirements of a bilevel method without communication.
func oneNode() Requirements { return Requirements{Bilevel: true, OneNode: true} }
