package keys

import (
	"fmt"
	"reflect"
	"strings"
)

// Fill sets the fields of the struct that into points to from the keys of the same names: EtaX from eta_x,
// CGTolerance from cg_tolerance. A section fills a struct. A key without a value leaves its field unchanged. Fill
// returns the keys that the caller reads: those without a field, Custom ones, such as the kind of a Variant, and lists
// of sections. It panics if the types of a key and its field differ.
func (a Args) Fill(into any) (rest []string) {
	s := reflect.ValueOf(into).Elem()
	for _, p := range a.params {
		name := strings.ReplaceAll(p.Name, "_", "")
		field := s.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
		v, ok := a.values[p.Name]
		section, isSection := v.(Args)
		_, isList := v.([]Args)
		switch {
		case !field.IsValid(), isList, p.Custom:
			rest = append(rest, p.Name)
		case !ok:
		case isSection && field.Kind() == reflect.Struct:
			section.Fill(field.Addr().Interface())
		case field.Kind() == reflect.TypeOf(v).Kind():
			field.Set(reflect.ValueOf(v).Convert(field.Type()))
		default:
			panic(fmt.Sprintf("keys: parameter %q of %s holds a %T, and its field is a %s", p.Name, a.owner, v, field.Type()))
		}
	}
	return rest
}
