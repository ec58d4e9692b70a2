// Package data finds, checks and reads data sets, and deals their samples out to
// nodes.
//
//	FindMNIST ─► Source ─► Loader.MNIST ─► MNIST{Train, Test} ─► Images.Select, Images.Features
//	                                                               │
//	                                                      Partition.Deal ─► node ─► samples
//
// Mushrooms are embedded. Fashion-MNIST is read from a folder that the caller names.
//
// MNIST comes with a pinned Go module, so that a checkout needs no download of
// its own; a user cache serves binaries that run where there is no Go. Every file
// is checked against its sha256 before a byte of it is used.
//
// The package knows nothing about problems or nodes beyond their number, takes
// its random numbers from the caller's streams, and reads no setting from the
// environment except where Go and the operating system keep their caches.
package data
