package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tallynet/metrics/report/page"
	"tallynet/metrics/report/views"
	"tallynet/scenarios/predict"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// query is an attempt: a scenario with its controls.
type query struct {
	File    string
	Changes map[string]string
	Run     bool // not only its cost
	Long    bool // without a limit of time
}

// settled is what is known before anything runs.
type settled struct {
	Name      string    `json:"name"`
	About     string    `json:"about"`
	Controls  []control `json:"controls"`
	Command   string    `json:"command"`
	Cost      string    `json:"cost"`      // in words
	Predicted string    `json:"predicted"` // tables
	Propose   string    `json:"propose"`   // the name of a new file
}

// message is a line of the answer.
type message struct {
	Settled  *settled        `json:"settled,omitempty"`
	Error    string          `json:"error,omitempty"`
	Progress string          `json:"progress,omitempty"`
	Page     *page.Fragment  `json:"page,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"` // of the page that was sent before
	Runs     []ran           `json:"runs,omitempty"` // of the study that has ended
}

// ran is what identifies a run.
type ran struct {
	Label  string `json:"label"`
	Point  string `json:"point,omitempty"`
	Seed   uint64 `json:"seed,string"`
	Status string `json:"status"`
	Hash   string `json:"hash"`
}

// stream is an answer of several messages, a line each.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// send writes a message; an error is that of the connection.
func (s stream) send(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTime)) // as in guarded
	if _, err := s.w.Write(append(text, '\n')); err != nil {
		return err
	}
	return s.control.Flush()
}

// try answers what a scenario costs, and then runs it.
func (s *Server) try(w http.ResponseWriter, r *http.Request) {
	var q query
	if !read(w, r, &q) {
		return
	}
	select {
	case s.attempts <- struct{}{}:
		defer func() { <-s.attempts }()
	default:
		http.Error(w, "too many requests at a time", http.StatusServiceUnavailable)
		return
	}
	ctx, mine := s.running.next(r.Context())
	defer mine.leave()
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := stream{w, http.NewResponseController(w)}
	_ = out.control.SetReadDeadline(time.Time{}) // the body is read; the answer takes as long as the runs
	if err := s.attempt(ctx, mine, q, out); err != nil {
		_ = out.send(message{Error: err.Error()}) // who is gone does not read it
	}
}

func (s *Server) attempt(ctx context.Context, mine *turn, q query, out stream) error {
	scenario, set, err := s.settle(ctx, q, out)
	if err != nil || !q.Run {
		return err
	}
	if err := mine.wait(ctx); err != nil {
		return err
	}
	study, err := study.New(scenario, &s.loader)
	if err != nil {
		return err
	}
	defer study.Close()
	command := s.command(q.File, set)
	if q.Long {
		return s.run(ctx, study, command, out)
	}
	limited, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	err = s.run(limited, study, command, out)
	if ctx.Err() == nil && limited.Err() != nil {
		return out.send(message{Progress: fmt.Sprintf("This takes more than %v, so it does not run by itself: "+
			"Run starts it.", s.patience)})
	}
	return err
}

// settle loads the scenario and says what it costs, one attempt at a time.
func (s *Server) settle(ctx context.Context, q query, out stream) (*spec.Scenario, []string, error) {
	select {
	case s.predicts <- struct{}{}:
		defer func() { <-s.predicts }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	scenario, set, err := s.load(q.File, q.Changes)
	if err != nil {
		return nil, nil, err
	}
	says := settled{Name: scenario.Name, About: scenario.About, Controls: controls(scenario, s.config.Catalog),
		Command: page.Shell(s.command(q.File, set)), Propose: s.propose(q.File)}
	says.Cost, says.Predicted, err = s.predicted(scenario)
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if err != nil {
		says.Cost = "The cost cannot be predicted."
	}
	if q.Run { // a run says what is wrong, and some methods run that have no prediction
		err = nil
	}
	return scenario, set, errors.Join(err, out.send(message{Settled: &says}))
}

// predicted is what the command predict says.
func (s *Server) predicted(scenario *spec.Scenario) (about, tables string, err error) {
	forecasts, about, err := predict.Forecasts(scenario, &s.loader)
	if err != nil {
		return "", "", err
	}
	of := views.ForecastTables(forecasts)
	tables, err = page.TablesHTML(of[1:], of[:1])
	return about, tables, err
}

// command runs the same on the command line.
func (s *Server) command(file string, set []string) []string {
	words := []string{"simulate", "run", s.path(file)}
	for _, x := range set {
		words = append(words, "--set", x)
	}
	return words
}
