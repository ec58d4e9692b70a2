package problems

import (
	"fmt"
	"strings"
)

// ParamError reports a wrong value of a problem's parameter.
type ParamError struct {
	Param   string // as scenario files call it
	Message string // may begin with the parameter
}

// Error returns the message. It begins with the parameter.
func (e *ParamError) Error() string {
	if strings.HasPrefix(e.Message, e.Param) {
		return e.Message
	}
	return e.Param + ": " + e.Message
}

func wrong(param, format string, args ...any) error {
	return &ParamError{param, fmt.Sprintf(format, args...)}
}
