package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/report/page"
	"tallynet/scenarios/predict"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// query asks for a scenario with changed controls.
type query struct {
	File    string
	Changes map[string]string
	Run     bool // run it, beyond predicting its cost
	Long    bool // run it without a time limit
}

// try predicts the cost of a scenario and then runs it.
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
	ctx, end := s.turns.next(r.Context())
	defer end(nil)
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := stream{w, http.NewResponseController(w)}
	_ = out.control.SetReadDeadline(time.Time{}) // the response takes as long as the runs
	if err := s.attempt(ctx, q, out); err != nil {
		_ = out.send(message{Error: err.Error()}) // fails if the browser is gone
	}
}

func (s *Server) attempt(ctx context.Context, q query, out stream) error {
	scenario, set, err := s.settle(ctx, q, out)
	if err != nil || !q.Run {
		return err
	}
	free, err := take(ctx, s.runs)
	if err != nil {
		return err
	}
	defer free()
	st, err := study.New(scenario, &s.loader)
	if err != nil {
		return err
	}
	defer st.Close()
	command := s.command(q.File, set)
	if q.Long {
		return s.run(ctx, st, command, out)
	}
	limited, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	err = s.run(limited, st, command, out)
	if ctx.Err() == nil && limited.Err() != nil {
		return out.send(message{Progress: fmt.Sprintf("This takes more than %v, so it does not run by itself: "+
			"Run starts it.", s.patience)})
	}
	return err
}

// settle loads the scenario and sends its predicted cost. Attempts take turns.
func (s *Server) settle(ctx context.Context, q query, out stream) (*spec.Scenario, []string, error) {
	free, err := take(ctx, s.predicts)
	if err != nil {
		return nil, nil, err
	}
	defer free()
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
	if q.Run { // the run reports the error, and some methods without a prediction can run
		err = nil
	}
	return scenario, set, errors.Join(err, out.send(message{Settled: &says}))
}

// predicted returns the output of the command predict, with its tables as HTML.
func (s *Server) predicted(scenario *spec.Scenario) (about, tables string, err error) {
	forecasts, about, err := predict.Forecasts(scenario, &s.loader)
	if err != nil {
		return "", "", err
	}
	of := present.Forecasts(scenario, forecasts)
	tables, err = page.TablesHTML(of[1:], of[:1])
	return about, tables, err
}

// command returns the equivalent command line.
func (s *Server) command(file string, set []string) []string {
	words := []string{"simulate", "run", s.path(file)}
	for _, x := range set {
		words = append(words, "--set", x)
	}
	return words
}
