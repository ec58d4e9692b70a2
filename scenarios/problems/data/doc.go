// Package data finds, checks and reads data sets, and deals their samples out to
// nodes.
//
//	folder or cache ─► Loader.MNIST ─► MNIST{Train, Test} ─► Images.Select, Images.Features
//	                                                              │
//	                                                      Partition.Deal ─► node ─► samples
//
// The mushrooms are embedded. Fashion-MNIST is read from a folder that the caller names.
//
// MNIST comes with a pinned Go module, so a checkout needs no separate download; a user
// cache serves binaries on machines without Go. Every file is checked against its sha256
// before any of it is used.
//
// The package takes random numbers from the caller's streams and reads nothing from the
// environment except where Go and the operating system keep their caches.
package data
