package keys

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tallynet/sim"
)

// scalar reads a single value of a kind that is not a list or a section.
func (r *Reader) scalar(path string, n *Value, keyPos FilePosition, p Param) (any, bool) {
	if n.Shape == Map && len(n.Fields) > 0 && slices.Contains(p.NotYet, n.Fields[0].Key) {
		f := n.Fields[0]
		r.Fail(f.KeyPos, JoinKey(path, f.Key), "", "not yet: %s belongs to a later version", f.Key)
		return nil, false
	}
	if n.Shape != Scalar {
		hint := p.write("write ")
		for _, f := range n.Fields { // {kind: dirichlet, ...} where dirichlet alone is wanted
			if f.Value.Shape == Scalar && slices.Contains(p.Enum, f.Value.Text) {
				hint = "write " + p.Name + ": " + f.Value.Text
				if len(n.Fields) > 1 {
					hint += ", and its other keys beside it"
				}
			}
		}
		r.WrongKind(path, n, keyPos, p.noun(), hint)
		return nil, false
	}
	switch p.Kind {
	case Int:
		return r.Int(path, n, p)
	case Float:
		return r.float(path, n, p)
	case Bool:
		return r.bool(path, n)
	case String, Path:
		if strings.TrimSpace(n.Text) == "" {
			r.Fail(n.Pos, path, "", "the text is empty")
			return nil, false
		}
		return n.Text, true
	case Enum:
		return r.enum(path, n, p)
	}
	if q, ok := quantities[p.Kind]; ok {
		return r.quantity(path, n, p, q)
	}
	panic(fmt.Sprintf("keys: %s is not a scalar kind", p.Kind))
}

const hour = 3600e9 // in ns

func (p Param) noun() string {
	if p.Kind == Enum {
		return "one of " + strings.Join(p.Enum, ", ")
	}
	return p.Kind.String()
}

// quantity reads a number with its unit.
func (r *Reader) quantity(path string, n *Value, p Param, q quantityKind) (any, bool) {
	if q.unlimited && n.Text == unlimited {
		return q.typed(math.MaxInt64), true
	}
	v, err := q.dimension.parse(n.Text)
	switch {
	case err != nil:
		r.Fail(n.Pos, path, err.Hint, "%s", err.Message)
	case !p.Range.Contains(float64(v)):
		r.Fail(n.Pos, path, "", "%s is out of range: it must be %s", n.Text, p.Range)
	case p.Kind == Duration && sim.Time(v) > sim.Horizon:
		r.Fail(n.Pos, path, "", "%s is too long: no run goes beyond %dh, about %.0f years", n.Text,
			int64(sim.Horizon)/hour, sim.Horizon.Seconds()/(365.25*24*3600))
	default:
		return q.typed(v), true
	}
	return nil, false
}

func (r *Reader) enum(path string, n *Value, p Param) (any, bool) {
	switch {
	case slices.Contains(p.Enum, n.Text):
		return n.Text, true
	case slices.Contains(p.NotYet, n.Text):
		r.Fail(n.Pos, path, "want one of: "+strings.Join(p.Enum, ", "), "not yet: %s belongs to a later version", n.Text)
	default:
		r.Fail(n.Pos, path, DidYouMean(n.Text, p.Enum), "%s is not known here", quote(n.Text))
	}
	return nil, false
}

func (r *Reader) bool(path string, n *Value) (any, bool) {
	if !n.Quoted {
		switch n.Text {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	}
	r.Fail(n.Pos, path, "write true or false", "%s is neither true nor false", quote(n.Text))
	return nil, false
}

var plainNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// number reads a plain decimal number. It rejects octal and hexadecimal numbers and separators, on which YAML readers
// disagree.
func (r *Reader) number(path string, n *Value, want string) (float64, bool) {
	t := n.Text
	digits := strings.TrimLeft(t, "+-")
	hint := ""
	switch lower := strings.ToLower(t); {
	case n.Quoted && plainNumber.MatchString(t):
		r.Fail(n.Pos, path, "remove the quotes", "want %s, got the text %s", want, quote(t))
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
			r.Fail(n.Pos, path, "", "%s is too large for a number", quote(t))
			return 0, false
		}
		return f, true
	case numberAndUnit.MatchString(t):
		hint = "this number has no unit: write it without one"
	}
	r.Fail(n.Pos, path, hint, "want %s, got %s", want, quote(t))
	return 0, false
}

func (r *Reader) float(path string, n *Value, p Param) (any, bool) {
	f, ok := r.number(path, n, "a number")
	if ok && !p.Range.Contains(f) {
		r.Fail(n.Pos, path, "", "%s is out of range: it must be %s", n.Text, p.Range)
		ok = false
	}
	return f, ok
}

// Int reads a whole number.
func (r *Reader) Int(path string, n *Value, p Param) (any, bool) {
	f, ok := r.number(path, n, "a whole number")
	if !ok {
		return nil, false
	}
	v, ok := exact(n.Text)
	switch {
	case ok && !v.IsInt():
		r.Fail(n.Pos, path, "", "want a whole number, got %s", n.Text)
	case !p.Range.Contains(f):
		r.Fail(n.Pos, path, "", "%s is out of range: it must be %s", n.Text, p.Range)
	case !ok:
		r.Fail(n.Pos, path, "", "%s has too many digits, or too large an exponent", quote(n.Text))
	case !v.Num().IsInt64() || v.Num().Int64() > 1<<53 || v.Num().Int64() < -1<<53:
		r.Fail(n.Pos, path, "", "%s is too large", n.Text)
	default:
		return int(v.Num().Int64()), true
	}
	return nil, false
}
