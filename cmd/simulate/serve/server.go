package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/net/netutil"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// Config configures a server.
type Config struct {
	Folder  string // contains the scenarios
	Catalog *catalog.Catalog
	Limits  spec.Limits // of each study
	Workers int         // number of runs at the same time
	Program result.Provenance
	Log     io.Writer // for errors of the server itself
}

// Limits of requests.
const (
	mostBody        = 64 << 10 // bytes
	mostConnections = 256
	mostAttempts    = 8 // concurrent requests that compute or wait to compute
	headerTime      = 5 * time.Second
	bodyTime        = 10 * time.Second
	writeTime       = 30 * time.Second // for each part of a response
	automaticTime   = time.Minute      // for a run without an explicit request
	idleTime        = time.Minute
	graceTime       = 2 * time.Second // for open requests when the server ends
)

// Server is the live page of a folder.
type Server struct {
	config Config
	folder *os.Root
	token  string
	host   string // with the port, as in a link
	loader data.Loader

	attempts  chan struct{} // holds one element for each attempt
	predicts  chan struct{} // held by the attempt that predicts
	runs      chan struct{} // held by the attempt that runs
	turns     turns
	patience  time.Duration // automaticTime, but in tests
	renew     time.Duration // renewTime, but in tests
	listening net.Listener
}

// Listen opens a port on the loopback interface. Port 0 means any free one.
func Listen(c Config, port int) (*Server, error) {
	folder, err := os.OpenRoot(c.Folder)
	if err != nil {
		return nil, err
	}
	l, err := loopback(port)
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	s := newServer(c, folder, l.Addr().String())
	s.listening = netutil.LimitListener(l, mostConnections)
	return s, nil
}

func newServer(c Config, folder *os.Root, host string) *Server {
	return &Server{config: c, folder: folder, token: rand.Text(), host: host,
		attempts: make(chan struct{}, mostAttempts), predicts: make(chan struct{}, 1), runs: make(chan struct{}, 1),
		patience: automaticTime, renew: renewTime}
}

// Link returns the address of the page, including the token.
func (s *Server) Link() string { return "http://" + s.host + "/?token=" + s.token }

// Serve answers requests until ctx is cancelled, which also ends the running study.
func (s *Server) Serve(ctx context.Context) error {
	requests, end := context.WithCancel(ctx)
	defer end()
	h := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, IdleTimeout: idleTime,
		MaxHeaderBytes: mostBody, ErrorLog: log.New(s.config.Log, "simulate: serve: ", 0),
		BaseContext: func(net.Listener) context.Context { return requests }}
	stopped := make(chan error, 1)
	go func() { stopped <- h.Serve(s.listening) }()
	var err error
	select {
	case err = <-stopped:
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
		defer cancel()
		if h.Shutdown(grace) != nil { // some run is inside a long computation
			err = h.Close()
		}
	}
	return errors.Join(err, s.folder.Close())
}

// Handler returns the handler of all requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("POST /try", s.try)
	mux.HandleFunc("POST /save", s.save)
	return s.guarded(mux)
}
