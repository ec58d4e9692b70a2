// Package largepages has Go's heap mapped in large pages before much memory is touched for the first time.
//
// A run with matrices touches a gigabyte within seconds, and the system maps it page by page of 4 kB: up to half
// of the CPU time goes there. Many Linux systems give large pages only to programs that ask
// (/sys/kernel/mm/transparent_hugepage/enabled says madvise), and Go's runtime does not. Heap.Prepare does: it
// allocates as much as will be needed in one piece, asks for that piece, and frees it, untouched, so that what is
// allocated next lies there. Nothing but the speed depends on it, and elsewhere than on Linux it does nothing.
package largepages
