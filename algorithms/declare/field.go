package declare

// Fields are the fields of a method that scenario files can set.
type Fields []Field

// Field describes one field of a method's struct. Its name in files is that of the struct's field in lower
// case with underscores: eta_x for EtaX. The kind of its values is that of the struct's field.
type Field struct {
	Name     string
	About    string // one line
	Required bool
	Default  any    // of the type of the struct's field; nil: none
	Example  string // as written in a file
	Range    Range
	Values   []string // that a string may have
	Only     string   // "solve: cg": the field is used only if an earlier field has this value
	With     string   // the field is used only if this field is given
	Source   string   // where the default comes from
}

// Outer counts the outer iterations.
func Outer() Field {
	return Iterations("outer", "outer iterations")
}

// Iterations is the number of iterations under another name than outer.
func Iterations(name, about string) Field {
	about += "; stop.iterations may end the run earlier, and is the default where it is given"
	return Field{Name: name, About: about, Default: 100, Example: "100", Range: Between(0, 1e9)}
}

// Count is a required number of steps.
func Count(name string, least float64, example, about string) Field {
	return Field{Name: name, About: about, Required: true, Example: example, Range: Between(least, 1e6)}
}

// Step is a required step size.
func Step(name, about string) Field { return Positive(name, "0.02", about) }

// Positive is a required number above 0.
func Positive(name, example, about string) Field {
	return Field{Name: name, About: about, Required: true, Example: example, Range: Above(0)}
}

// Weight is a required number in (0, 1].
func Weight(name, about string) Field {
	return Field{Name: name, About: about, Required: true, Example: "0.5", Range: AboveUpTo(0, 1)}
}

// Number is a number with a default.
func Number(name string, value float64, r Range, about string) Field {
	return Field{Name: name, About: about, Default: value, Example: FormatFloat(value), Range: r}
}

// Flag is true or false.
func Flag(name string, value bool, about string) Field {
	return Field{Name: name, About: about, Default: value}
}

// Enum is one of some values, by default the first.
func Enum(name, about string, values ...string) Field {
	return Field{Name: name, About: about, Default: values[0], Values: values}
}

// Batch is the number of samples behind each derivative.
func Batch() Field { return Samples("samples of each derivative; 0 is all of a node's") }

// Samples is Batch with another meaning.
func Samples(about string) Field {
	return Field{Name: "batch", About: about, Default: 0, Example: "32", Range: AtLeast(0)}
}

// Lipschitz bounds the eigenvalues of the matrix that is named.
func Lipschitz(of string) Field {
	return Positive("lipschitz", "10",
		"L, an upper bound of the largest eigenvalue of "+of+"; the series diverges below half of it")
}

// Neumann is the number of products of a Neumann series.
func Neumann() Field {
	return Count("neumann", 0, "5",
		"products of the Neumann series, which has one term more; about κ log(1/accuracy) make it exact")
}

// Or makes a required field optional.
func (f Field) Or(value any, source string) Field {
	f.Required, f.Default, f.Source = false, value, source
	return f
}

// Optional lets a field be left out: it is zero then.
func (f Field) Optional() Field {
	f.Required = false
	return f
}

// From names the source of the default.
func (f Field) From(source string) Field {
	f.Source = source
	return f
}

// Like shows another example.
func (f Field) Like(example string) Field {
	f.Example = example
	return f
}

// In restricts the values to a range.
func (f Field) In(r Range) Field {
	f.Range = r
	return f
}

// OnlyIf restricts a field to one value of an earlier field: "solve: cg".
func (f Field) OnlyIf(condition string) Field {
	f.Only = condition
	return f
}

// Beside restricts a field to where another field is given.
func (f Field) Beside(name string) Field {
	f.With = name
	return f
}
