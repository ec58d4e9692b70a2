package scenarios

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"tallynet/sim"
)

// scalar reads a single value.
func (r *reader) scalar(path string, n *node, keyPos Position, p Param) (any, bool) {
	if n.kind != scalarNode {
		hint := ""
		if p.Example != "" {
			hint = "write " + p.Name + ": " + p.Example
		}
		r.wrongKind(path, n, keyPos, p.noun(), hint)
		return nil, false
	}
	switch p.Kind {
	case Int:
		return r.int(path, n, p)
	case Float:
		return r.float(path, n, p)
	case Bool:
		return r.bool(path, n)
	case String, Path:
		if strings.TrimSpace(n.text) == "" {
			r.fail(n.pos, path, "", "the text is empty")
			return nil, false
		}
		return n.text, true
	case Enum:
		return r.enum(path, n, p)
	case Duration:
		v, ok := r.quantity(path, n, p, times())
		return sim.Time(v), ok
	case Bandwidth:
		if n.text == "unlimited" {
			return Unlimited, true
		}
		v, ok := r.quantity(path, n, p, rates())
		return Rate(v), ok
	case Bytes:
		v, ok := r.quantity(path, n, p, sizes())
		return Size(v), ok
	case Flops:
		if n.text == "unlimited" {
			return Instant, true
		}
		v, ok := r.quantity(path, n, p, speeds())
		return Speed(v), ok
	}
	panic(fmt.Sprintf("scenarios: %s is no scalar kind", p.Kind))
}

func (p Param) noun() string {
	if p.Kind == Enum {
		return "one of " + strings.Join(p.Enum, ", ")
	}
	return p.Kind.String()
}

func (r *reader) quantity(path string, n *node, p Param, d dimension) (int64, bool) {
	v, err := d.parse(n.text)
	if err != nil {
		r.fail(n.pos, path, err.hint, "%s", err.message)
		return 0, false
	}
	if !p.Range.Contains(float64(v)) {
		r.fail(n.pos, path, "", "%s is out of range: it must be %s", n.text, p.Range)
		return 0, false
	}
	return v, true
}

func (r *reader) enum(path string, n *node, p Param) (any, bool) {
	for _, e := range p.Enum {
		if n.text == e {
			return e, true
		}
	}
	for _, e := range p.NotYet {
		if n.text == e {
			r.fail(n.pos, path, "it may be: "+strings.Join(p.Enum, ", "), "not yet: %s belongs to a later version", e)
			return nil, false
		}
	}
	r.fail(n.pos, path, didYouMean(n.text, p.Enum), "%s is not known here", quoteShort(n.text))
	return nil, false
}

func (r *reader) bool(path string, n *node) (any, bool) {
	if !n.quoted {
		switch n.text {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	}
	r.fail(n.pos, path, "write true or false", "%s is neither true nor false", quoteShort(n.text))
	return nil, false
}

var plainNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// number reads plain decimal numbers: what other YAML readers take for octal,
// hexadecimal or a number with separators is refused, since they do not agree.
func (r *reader) number(path string, n *node, want string) (float64, bool) {
	t := n.text
	digits := strings.TrimLeft(t, "+-")
	hint := ""
	switch lower := strings.ToLower(t); {
	case n.quoted && plainNumber.MatchString(t):
		r.fail(n.pos, path, "remove the quotes", "%s is asked, this is the text %s", want, quoteShort(t))
		return 0, false
	case len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789") == "":
		hint = "remove the leading zero: some YAML readers would take it for octal"
	case strings.ContainsRune(t, '_') && plainNumber.MatchString(strings.ReplaceAll(t, "_", "")):
		hint = "write " + strings.ReplaceAll(t, "_", "")
	case strings.HasPrefix(lower, "0x") || strings.HasPrefix(lower, "0o") || strings.HasPrefix(lower, "0b"):
		hint = "write the number in decimal"
	case strings.Trim(lower, "+-.") == "inf" || strings.Trim(lower, "+-.") == "nan":
		hint = "the number must be finite"
	case strings.HasSuffix(t, "%"):
		hint = "write a fraction, as in 0.5 for 50%"
	case strings.Count(t, ",") == 1 && plainNumber.MatchString(strings.Replace(t, ",", ".", 1)):
		hint = "write the decimal point as ."
	case plainNumber.MatchString(t):
		f, err := strconv.ParseFloat(t, 64)
		if err != nil {
			r.fail(n.pos, path, "", "%s is too large for a number", quoteShort(t))
			return 0, false
		}
		return f, true
	case numberAndUnit.MatchString(t):
		hint = "this number has no unit: write it without one"
	}
	r.fail(n.pos, path, hint, "%s is asked, this is %s", want, quoteShort(t))
	return 0, false
}

func (r *reader) float(path string, n *node, p Param) (any, bool) {
	f, ok := r.number(path, n, "a number")
	if ok && !p.Range.Contains(f) {
		r.fail(n.pos, path, "", "%s is out of range: it must be %s", n.text, p.Range)
		ok = false
	}
	return f, ok
}

func (r *reader) int(path string, n *node, p Param) (any, bool) {
	f, ok := r.number(path, n, "a whole number")
	if !ok {
		return nil, false
	}
	if f != math.Trunc(f) {
		r.fail(n.pos, path, "", "a whole number is asked, this is %s", n.text)
		return nil, false
	}
	if !p.Range.Contains(f) {
		r.fail(n.pos, path, "", "%s is out of range: it must be %s", n.text, p.Range)
		return nil, false
	}
	if math.Abs(f) > 1<<53 {
		r.fail(n.pos, path, "", "%s is too large", n.text)
		return nil, false
	}
	return int(f), true
}
