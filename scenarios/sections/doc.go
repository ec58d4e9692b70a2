// Package sections has what the sections of a scenario file declare, check and give the engine, one Go file for each
// section: network.go has the keys of network, the checks of what must fit together in it, and how a [Site] takes it.
//
//	NetworkKey() ─► keys.Param ─► schema, describe, the reader
//	CheckNetwork(reader, args)    what must fit together
//	Site.SetNetwork(args)         latency, bandwidth, jitter ─► node.Config
//
// A section knows nothing of the scenario around it: what it needs of other sections is passed to it.
package sections
