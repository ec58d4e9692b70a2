package algorithms

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"tallynet/algorithms/declare"
	"tallynet/sim"
)

// Declared is a method that scenario files can name: a struct whose fields they set.
type Declared interface {
	Method
	Declare() declare.Method
}

// Checked is implemented by methods whose fields restrict each other. Check returns nil if they fit.
type Checked interface {
	Check() *declare.Wrong
}

// Methods returns every method of this program. Fields that a method does not declare keep their values.
func Methods() []Declared {
	return []Declared{
		DAGM{}, DGBO{}, DBO{}, DBOGT{}, DSBO{}, MADBO{}, LPDBO{}, SPDB{}, INTERACT{}, Prometheus{}, MDBO{}, VRDBO{},
		SLDBO{}, DSOBA{}, SPARKLE{}, PenaltyGT{},
		FedNest{}, LFedNest{}, CentralizedDAGM{},
		AID{}, AIDFP{}, AIDCG{AID{Solve: SolveCG}}, ITD{Warm: true}, Reverse{}, BA{}, BSA{}, StocBiO{}, VRBO{}, MRBO{},
		AmIGO{}, AccBiO{}, SOBA{}, SABA{},
		BOME{}, BSG1{}, BVFSM{}, Penalty{}, F2SA{}, OptimisticGD{},
		Gossip{}, RandomizedGossip{}, DGD{}, GradientTracking{}, EXTRA{},
		CHOCO{}, LEAD{}, C2DFB{}, CSOBA{}, CMSOBA{}, EFSOBA{},
		PushSum{}, SGP{}, PushPull{},
		AsyncDGD{}, ADPSGD{}, AsyncLPDBO{}, AllReduceGD{},
	}
}

// FieldOf returns the field of a struct that a declared name sets: EtaX for eta_x. m is a method or a pointer
// to one.
func FieldOf(m Method, name string) reflect.Value {
	s := reflect.Indirect(reflect.ValueOf(m))
	name = strings.ReplaceAll(name, "_", "")
	f := s.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
	if !f.IsValid() {
		panic(fmt.Sprintf("algorithms: %T has no field for %s", m, name))
	}
	return f
}

// Example returns a method with the example of each required field and the default of each other one.
func Example(m Declared) Declared {
	for _, f := range m.Declare().Fields {
		switch {
		case f.Default != nil:
			m = with(m, f.Name, reflect.ValueOf(f.Default))
		case f.Required:
			m = With(m, f.Name, f.Example)
		}
	}
	return m
}

// With returns a copy of a method with a field set as a file would: inner to 10, solve to cg.
func With(m Declared, name, text string) Declared {
	var value any = text
	var err error
	switch FieldOf(m, name).Kind() {
	case reflect.Int:
		value, err = strconv.Atoi(text)
	case reflect.Float64:
		value, err = strconv.ParseFloat(text, 64)
	case reflect.Bool:
		value, err = strconv.ParseBool(text)
	case reflect.Int64:
		value, err = time.ParseDuration(text)
	}
	if err != nil {
		panic(fmt.Sprintf("algorithms: %s of %T: %v", name, m, err))
	}
	return with(m, name, reflect.ValueOf(value))
}

func with(m Declared, name string, value reflect.Value) Declared {
	set := reflect.New(reflect.TypeOf(m))
	set.Elem().Set(reflect.ValueOf(m))
	f := FieldOf(set.Interface().(Method), name)
	f.Set(value.Convert(f.Type()))
	return set.Elem().Interface().(Declared)
}

// Texts that several declarations share.
const (
	fromDescription = "Written from the published description, not from the paper's box."
	byBOME          = "the public program of BOME, which compares with it"

	trackedStable = "stable below (1 + λ_min(W))² / (2 L)" // tracked steps, if nodes have one Hessian
	plainStable   = "stable below (1 + λ_min(W)) / L"      // steps without trackers
	stepOfY       = "the step of y; stable below 2 / L, L the largest eigenvalue of the inner Hessian"
	stepOfSystem  = "the step of the linear system or series; below 2 / L"

	hypertorchSource = "Grazzi, Franceschi, Pontil, Salzo: On the iteration complexity of hypergradient computation. " +
		"ICML 2020; and its public program"
	loopsSource = "Ji, Liu, Liang, Ying: Will Bilevel Optimizers Benefit from Loops. NeurIPS 2022; arXiv 2205.14224"
)

// exponent is the exponent of a step or weight that changes with k.
func exponent(name, about, paper string) declare.Field {
	return declare.Number(name, 0, declare.AtLeast(0), about).Like(paper).
		From("0 keeps it constant; the paper has " + paper)
}

// series is the number of factors of a Neumann series.
func series() declare.Field {
	return declare.Count("q", 0, "10", "factors of the Neumann series, which has one more term")
}

// pause is the time between two steps of an asynchronous method.
func pause() declare.Field {
	return declare.Field{Name: "pause", Default: sim.Time(0), Example: "1ms", Range: declare.AtLeast(0),
		About: "the time from the end of a step to the beginning of the next; 0: steps are back to back"}
}
