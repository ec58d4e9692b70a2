// Package platform describes the network that nodes talk over: hosts, links that connections
// share, and the route of links from each host to each other one.
//
//	host 0 ──┐  up, down         ┌── host 2
//	         ├── switch ─ ... ── ┤
//	host 1 ──┘                   └── host 3
//
// A topology says who talks to whom; a platform says over what. The package knows shapes
// (a switch, racks, a fat tree, regions, a radio cell) and reads files (GraphML, GML, DOT,
// CSV matrices, SimGrid XML) as people have them; what a file leaves open is assumed, and said
// in the notes. It knows nothing of messages or of time passing: package channel shares the
// links.
package platform
