package serve

import (
	"fmt"
	"net"
	"sync"
)

// loopback listens on 127.0.0.1 or, if there is no such address, on ::1.
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

// bounded is a listener that limits the number of open connections. Further connections wait.
type bounded struct {
	net.Listener
	places chan struct{} // its capacity is the limit
}

// Accept waits for a place and for a connection.
func (b *bounded) Accept() (net.Conn, error) {
	b.places <- struct{}{}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.places
		return nil, err
	}
	return &place{Conn: c, free: sync.OnceFunc(func() { <-b.places })}, nil
}

// place is a connection that occupies a place.
type place struct {
	net.Conn
	free func()
}

// Close closes the connection and frees its place.
func (p *place) Close() error {
	defer p.free()
	return p.Conn.Close()
}
