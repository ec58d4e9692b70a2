package catalog

import (
	"math"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/data"
)

// Size is what a problem amounts to, known from its parameters alone.
type Size struct {
	P, Q  int   // the lengths of x and y; P is 0 where only a file says them
	Bytes int64 // of memory, about; math.MaxInt64 where it is more than that
	// Products says that large Hessians and Jacobians are multiplied with and never formed:
	// only a method that forms them is refused.
	Products bool
}

// newSize takes the number of float64 elements of all nodes, besides the iterates.
func newSize(p, q, nodes int, elements float64) Size {
	const iterates = 8 // vectors of x and y that a node and its method hold, about
	bytes := 8 * (elements + iterates*float64(nodes)*(float64(p)+float64(q)))
	if bytes >= math.MaxInt64 {
		return Size{P: p, Q: q, Bytes: math.MaxInt64}
	}
	return Size{P: p, Q: q, Bytes: int64(bytes)}
}

// sizes returns the functions that state a problem's size, by kind.
func sizes() map[string]func(a keys.Args, nodes int) Size {
	fixed := func(p, q int) func(keys.Args, int) Size {
		return func(_ keys.Args, nodes int) Size { return newSize(p, q, nodes, 0) }
	}
	return map[string]func(a keys.Args, nodes int) Size{
		"quadratic": quadraticSize,
		"conditioned": func(a keys.Args, nodes int) Size {
			d := float64(a.Int("dim")) // H, P, A, B and C of each node, U and V
			return newSize(a.Int("dim"), a.Int("dim"), nodes, float64(nodes)*5*d*d+6*d*d)
		},
		"consensus": func(a keys.Args, nodes int) Size {
			return newSize(a.Int("dim"), 0, nodes, float64(nodes)*float64(a.Int("dim")))
		},
		"least-squares": singleSize, "logistic": singleSize,
		"hyper-ridge": hyperSize, "hyper-logistic": hyperSize, "hyper-svm": hyperSize,
		"hyper-softmax": func(a keys.Args, nodes int) Size {
			s := samplesOfSize(a, nodes)
			if a.Bool("shared_across_classes") {
				return s.problem(s.inputs, s.inputs*s.classes)
			}
			return s.problem(s.inputs*s.classes, s.inputs*s.classes)
		},
		"hyper-l2": func(a keys.Args, nodes int) Size {
			s := samplesOfSize(a, nodes)
			return s.problem(1, s.inputs*s.classes)
		},
		"hyper-cleaning": func(a keys.Args, nodes int) Size {
			s := samplesOfSize(a, nodes)
			return s.problem(nodes*a.Section("samples").Int("train"), s.inputs*s.classes)
		},
		"fair-loss": fairSize,
		"hyper-representation": func(a keys.Args, nodes int) Size {
			s, hidden := samplesOfSize(a, nodes), a.Int("hidden")
			return productsOnly(s.encoded(hidden).problem(hidden*(s.inputs+1), (hidden+1)*s.classes))
		},
		"hyper-representation-linear": func(a keys.Args, nodes int) Size {
			s, hidden := samplesOfSize(a, nodes), a.Int("hidden")
			return productsOnly(s.encoded(hidden).problem(s.inputs*hidden, hidden))
		},
		"hyper-text":  textSize,
		"toy-coreset": fixed(4, 2), "toy-minimax": fixed(1, 1), "toy-degenerate": fixed(1, 2), "toy-floor": fixed(2, 2),
	}
}

func quadraticSize(a keys.Args, nodes int) Size {
	if a.Has("file") {
		return Size{}
	}
	p, q := float64(a.Int("p")), float64(a.Int("q"))
	// H, C, P, B and A of each node, and what a node is drawn and averaged with.
	return newSize(a.Int("p"), a.Int("q"), nodes, float64(nodes)*(2*q*q+2*p*q+p*p)+4*q*q)
}

// sampleSize counts the samples of a problem.
type sampleSize struct {
	nodes, inputs, classes int
	rows                   float64 // samples of all nodes, and of the test
	elements               float64 // of what is made of a sample, besides its inputs
}

func samplesOfSize(a keys.Args, nodes int) sampleSize {
	s := sampleSize{nodes: nodes, classes: 3}
	classes := keys.Optional[[]int](a, "classes")
	test := keys.Optional[int](a, "test")
	switch keys.Optional[keys.Args](a, "data").Kind() {
	case "mnist", "fashion-mnist":
		side := 28 / a.Int("pool")
		s.inputs, s.classes, test = side*side, 10, 10000
		if len(classes) > 0 {
			s.classes = len(classes)
		}
	case "mushroom":
		s.inputs, s.classes, test = data.MushroomInputs, 2, 8124
	default:
		if s.inputs = a.Int("dim"); len(classes) == 1 {
			s.classes = classes[0]
		}
	}
	if keys.Optional[bool](a, "bias") {
		s.inputs++
	}
	each := float64(keys.Optional[int](a, "samples"))
	if n := keys.Optional[keys.Args](a, "samples"); n.Read() {
		each = float64(n.Int("train")) + float64(n.Int("val"))
	}
	s.rows = float64(nodes)*each + float64(test)
	return s
}

// encoded adds the features that a hidden layer makes of each sample.
func (s sampleSize) encoded(hidden int) sampleSize {
	s.elements += float64(hidden)
	return s
}

func (s sampleSize) problem(p, q int) Size {
	return newSize(p, q, s.nodes, s.rows*(float64(s.inputs)+1+s.elements))
}

// fairSize is that of a linear model, or of a network that is all in y.
func fairSize(a keys.Args, nodes int) Size {
	s, hidden := samplesOfSize(a, nodes), a.Int("hidden")
	if hidden == 0 {
		return s.problem(2*s.classes, s.inputs*s.classes)
	}
	top := (hidden + 1) * s.classes
	return productsOnly(s.encoded(hidden).problem(2*s.classes, hidden*(s.inputs+1)+top))
}

func singleSize(a keys.Args, nodes int) Size {
	s := samplesOfSize(a, nodes)
	return s.problem(s.inputs, 0)
}

func hyperSize(a keys.Args, nodes int) Size {
	s := samplesOfSize(a, nodes)
	return s.problem(s.inputs, s.inputs)
}

func textSize(a keys.Args, nodes int) Size {
	if a.Has("file") {
		return Size{}
	}
	n := a.Section("samples")
	texts := float64(nodes)*(float64(n.Int("train"))+float64(n.Int("val"))) + float64(a.Int("test"))
	features := a.Int("features")
	words := math.Min(a.Float("length"), float64(features)) // of a text: an index and a value each
	return productsOnly(newSize(features, features*a.Int("classes"), nodes, texts*(2*words+8)+4*float64(features)))
}

func productsOnly(s Size) Size {
	s.Products = true
	return s
}
