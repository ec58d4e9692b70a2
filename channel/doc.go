// Package channel models what travels between nodes: messages of named parts, the wire
// format that rounds and sizes them, and the links that carry them.
//
//	parts ─► Codec (rounds, sizes) ─► Message, one copy shared by all receivers
//	                                     │
//	        sender's uplink ─► link ─► receiver's downlink      (Fabric: when does it arrive?)
//
// A part's kind (scalar, vector, matrix) comes from its constructor and its size from the
// codec that encoded it, never from the sender's word. A broadcast is copied once, whatever
// the number of receivers; with Pool.Verify set, a receiver that writes to the shared copy
// is found out.
//
// The package knows the numbers of links, not graphs: its callers know which links a message
// takes. It is not a packet simulator: a message is one flow of bytes, and a packet only a
// header to be counted.
package channel
