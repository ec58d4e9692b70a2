package serve

import (
	"fmt"
	"net"
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
