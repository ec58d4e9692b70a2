package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// Config says what is served.
type Config struct {
	Folder  string // with the scenarios
	Catalog *catalog.Catalog
	Limits  spec.Limits // of each study
	Workers int         // runs of a study at the same time
	Program result.Provenance
	Log     io.Writer // for what goes wrong in the server itself
}

// What requests may take.
const (
	mostBody        = 64 << 10 // bytes
	mostConnections = 256
	mostAttempts    = 8 // requests at a time that compute, or wait for their turn
	headerTime      = 5 * time.Second
	bodyTime        = 10 * time.Second
	writeTime       = 30 * time.Second // for each part of an answer
	automaticTime   = time.Minute      // for a run that nobody asked for
	idleTime        = time.Minute
	graceTime       = 2 * time.Second // for requests under way at the end
)

// Server is the live page of a folder.
type Server struct {
	config Config
	folder *os.Root
	token  string
	host   string // with the port, as in a link
	loader data.Loader

	attempts  chan struct{} // a place for each
	predicts  chan struct{} // held by the one attempt that predicts
	running   turns
	patience  time.Duration // the limit of a run that nobody asked for
	listening net.Listener
}

// Listen opens a port of the loopback for a folder; port 0 is any free one.
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
	s.listening = &bounded{Listener: l, places: make(chan struct{}, mostConnections)}
	return s, nil
}

func newServer(c Config, folder *os.Root, host string) *Server {
	return &Server{config: c, folder: folder, token: rand.Text(), host: host,
		attempts: make(chan struct{}, mostAttempts), predicts: make(chan struct{}, 1),
		patience: automaticTime}
}

// loopback listens on 127.0.0.1, or on ::1 where there is no such address.
func loopback(port int) (net.Listener, error) {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err == nil {
		return l, nil
	}
	if six, other := net.Listen("tcp", fmt.Sprintf("[::1]:%d", port)); other == nil {
		return six, nil
	}
	return nil, err
}

// Link is the address of the page, with its token.
func (s *Server) Link() string { return "http://" + s.host + "/?token=" + s.token }

// Serve answers requests until ctx ends, which ends the study that runs too.
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
		if h.Shutdown(grace) != nil { // a run is inside a long computation
			err = h.Close()
		}
	}
	return errors.Join(err, s.folder.Close())
}

// Handler is all that the server answers.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("POST /try", s.try)
	mux.HandleFunc("POST /save", s.save)
	return s.guarded(mux)
}
