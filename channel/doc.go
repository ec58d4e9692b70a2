// Package channel models what travels between nodes: messages of named parts,
// the wire format that rounds and sizes them, and the links that carry them.
//
//	parts ─► Codec (rounds, sizes) ─► Message, one snapshot shared by all receivers
//	                                     │
//	        sender's uplink ─► link ─► receiver's downlink      (Fabric: when does it arrive?)
//
// A part's kind (scalar, vector, matrix) comes from its constructor and its size
// from the codec that encoded it, never from the sender's word. A broadcast is
// copied once, whatever the number of receivers; with Pool.Verify set, a
// receiver that writes into the shared copy is found out.
//
// The package knows link indices, not graphs: routes and neighbours are given to
// it. It is no packet simulator: a message is one flow of bytes, a packet only a
// header that is counted.
package channel
