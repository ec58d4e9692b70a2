// Package serve is the live page: a server on the loopback interface. In the browser, the user chooses
// a scenario, changes its network with controls and watches its cost.
//
//	browser ─► guard ─► page                        (GET /?token=...)
//	                    try ─► scenario + --set ─► predicted cost
//	                           └─► study ─► growing curves ─► the report        (POST /try)
//	                    save ─► a new scenario file                             (POST /save)
//
// A control is equivalent to a --set, so that the page and the command line give the same runs. The
// page is that of metrics/report/page, with the same content as a report.
//
// The server refuses any address but the loopback, requests without the token of its link, from
// another origin or for another host name, files outside its folder, and large bodies. One study
// runs at a time; the next one ends it. Existing files are never overwritten.
package serve
