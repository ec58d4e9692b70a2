// Package serve is the live page: a server on the loopback that lets a browser choose a scenario,
// change its network by controls, and watch what it costs.
//
//	browser ─► guard ─► page                        (GET /?token=...)
//	                    try ─► scenario + --set ─► predicted cost
//	                           └─► study ─► curves as they come ─► the report   (POST /try)
//	                    save ─► a new scenario file                             (POST /save)
//
// A control is a --set and nothing else, so that what it shows is what the command line gives. The
// page is that of metrics/report/page, and what it shows is what a report shows.
//
// It refuses: any address but the loopback, requests without the token of its link, of another
// origin or under another host name, files outside its folder, and large bodies. One study runs at
// a time; the next one ends it. A file that is there is never written over.
package serve
