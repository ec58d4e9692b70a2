// Package channel models what travels between nodes: messages of named parts, the wire
// format that rounds and sizes them, and the links that carry them.
//
//	parts ─► Codec (rounds, sizes) ─► Message, one copy shared by all receivers
//	                                     │
//	        sender's uplink ─► link ─► receiver's downlink      (Fabric: when does it arrive?)
//
// The kind of a part (scalar, vector, matrix) comes from its constructor and its size from the
// codec that encoded it; senders cannot state either. A broadcast is copied once, whatever
// the number of receivers; if Pool.Verify is set, a receiver that writes to the shared copy
// makes the run panic.
//
// The package knows links by number, not graphs: its callers know which links a message
// takes. It is not a packet simulator: a message is one flow of bytes, and a packet is only a
// header to be counted.
package channel
