package serve

import (
	"encoding/json"
	"net/http"
	"time"

	"tallynet/metrics/report/page"
)

// stream is a response that consists of messages, one per line.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// send writes a message. An error means that the connection is broken.
func (s stream) send(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTime)) // fails only in tests, as in guarded
	if _, err := s.w.Write(append(text, '\n')); err != nil {
		return err
	}
	return s.control.Flush()
}

// message is one line of a stream.
type message struct {
	Settled  *settled        `json:"settled,omitempty"`
	Error    string          `json:"error,omitempty"`
	Progress string          `json:"progress,omitempty"`
	Page     *page.Fragment  `json:"page,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"` // new data for the page that was sent before
	Runs     []ran           `json:"runs,omitempty"` // of the finished study
}

// settled describes a scenario before it runs.
type settled struct {
	Name      string    `json:"name"`
	About     string    `json:"about"`
	Controls  []control `json:"controls"`
	Command   string    `json:"command"`
	Cost      string    `json:"cost"`      // as text
	Predicted string    `json:"predicted"` // HTML tables
	Propose   string    `json:"propose"`   // a name for a new file
}

// ran identifies a run.
type ran struct {
	Label  string `json:"label"`
	Point  string `json:"point,omitempty"`
	Seed   uint64 `json:"seed,string"`
	Status string `json:"status"`
	Hash   string `json:"hash"`
}
