package serve

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"tallynet/metrics/report/page"
)

// tokenHeader carries the token of requests by the page's script.
const tokenHeader = "X-Tallynet-Token"

// guarded lets through what comes from the page itself, or by its link.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", page.LivePolicy()+"; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if code, why := s.refusal(r); why != "" {
			h.Set("Connection", "close") // what else the request has is not read
			http.Error(w, why, code)
			return
		}
		// A server that a test makes has no deadlines.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next.ServeHTTP(w, r)
	})
}

// refusal says why a request is not answered; "" if it is. A page of another site that makes the
// browser send one has another origin, and one that has its own name lead here has another host.
func (s *Server) refusal(r *http.Request) (code int, why string) {
	_, port, _ := net.SplitHostPort(s.host)
	hosts := []string{s.host, net.JoinHostPort("localhost", port)}
	if !slices.Contains(hosts, r.Host) {
		return http.StatusMisdirectedRequest, "the host is not that of the link"
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return http.StatusForbidden, "the request comes from another origin"
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return http.StatusForbidden, "the request comes from another site"
	}
	token := r.Header.Get(tokenHeader)
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		token = r.URL.Query().Get("token")
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		return http.StatusForbidden, "the token is missing or wrong: open the link that simulate serve printed"
	}
	if r.ContentLength > mostBody {
		return http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes", mostBody)
	}
	return 0, ""
}

// read reads the body of a request; where it is none, it has answered and returns false.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil && d.More() {
		err = errors.New("more than one value")
	}
	var large *http.MaxBytesError
	switch {
	case err == nil:
		return true
	case errors.As(err, &large):
		http.Error(w, fmt.Sprintf("the body has more than %d bytes", mostBody), http.StatusRequestEntityTooLarge)
	default:
		http.Error(w, "the body: "+err.Error(), http.StatusBadRequest)
	}
	return false
}

// bounded is a listener with so many open connections at most; others wait.
type bounded struct {
	net.Listener
	places chan struct{}
}

// Accept returns the next connection when there is a place for it.
func (b *bounded) Accept() (net.Conn, error) {
	b.places <- struct{}{}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.places
		return nil, err
	}
	return &place{Conn: c, free: sync.OnceFunc(func() { <-b.places })}, nil
}

type place struct {
	net.Conn
	free func()
}

// Close closes the connection and gives its place to another one.
func (p *place) Close() error {
	defer p.free()
	return p.Conn.Close()
}
