package problems

import (
	"fmt"
	"strings"
)

// ParamError is something wrong with one parameter of a problem.
type ParamError struct {
	Param   string // as scenario files call it
	Message string // may begin with the parameter
}

// Error returns the message, and the parameter before it.
func (e *ParamError) Error() string {
	if strings.HasPrefix(e.Message, e.Param) {
		return e.Message
	}
	return e.Param + ": " + e.Message
}

func wrong(param, format string, args ...any) error {
	return &ParamError{param, fmt.Sprintf(format, args...)}
}
