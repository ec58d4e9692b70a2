// Package platform describes the physical network below a topology: hosts, links that connections
// share, and the route of links from each host to every other host.
//
//	host 0 ──┐  up, down         ┌── host 2
//	         ├── switch ─ ... ── ┤
//	host 1 ──┘                   └── host 3
//
// A topology says which nodes communicate; a platform says over what. The package makes shapes
// (a switch, racks, a fat tree, regions, radio cells) and reads files (GraphML, GML, DOT,
// CSV matrices, SimGrid XML) as people have them. What a file leaves open is assumed, and stated
// in the notes. It does not know messages or the passing of time: package channel shares the
// links.
package platform
