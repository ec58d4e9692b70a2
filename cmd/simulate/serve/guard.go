package serve

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"tallynet/metrics/report/page"
)

// tokenHeader is the header in which the page's script sends the token.
const tokenHeader = "X-Tallynet-Token"

// guarded passes on requests that come from the page itself or through its link.
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
			h.Set("Connection", "close") // the rest of the request is not read
			http.Error(w, why, code)
			return
		}
		// This fails only in tests, whose response writer has no deadlines.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next.ServeHTTP(w, r)
	})
}

// refusal returns why a request is refused, or "". A request that another site makes the browser send
// has another origin. A request to a name of another site that resolves to this address (DNS
// rebinding) has another host.
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

// read decodes the body of a request. If that fails, it answers the request and returns false.
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
