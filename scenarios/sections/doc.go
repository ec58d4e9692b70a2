// Package sections implements the sections of a scenario file, one Go file for each: the declaration of its keys, the
// checks between them, and the configuration that they give the engine. network.go, for example, has
//
//	NetworkKey() ─► keys.Param ─► schema, describe, the reader
//	CheckNetwork(reader, args)    checks between keys
//	Site.SetNetwork(args)         latency, bandwidth, jitter ─► node.Config
//
// The package does not know the scenario as a whole. A section that depends on another one gets it as an argument.
package sections
