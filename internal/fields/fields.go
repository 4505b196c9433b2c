// Package fields reads from the input struct of a use case what its fields are
// called, what they mean and which values they take. The arguments of tools, the
// parameters of HTTP and the flags of the command line come from it, so that each
// field is described once, beside its declaration, by tags:
//
//	json     its name; the field is required unless it says omitempty or omitzero
//	help     what the field means
//	enum     its values: the name of a list of package facts, such as kinds, or the values
//	min, max the least and the greatest number
//	default  what the zero value stands for, as help texts say it
//	env      the environment variable that sets the default
//	tool     its name as an argument of a tool, if that differs from json's
//	query    its name as a parameter of a URL, if that differs from json's
//	flag     NAME,SHORTHAND,WORD: its name as a flag, if that differs from json's with
//	         dashes; one letter; and the word of the help that stands for the value
//
// The package describes and converts values; it does not decide whether an input makes
// sense, which is the use case's own business.
package fields

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/facts"
)

// Field describes one field of an input.
type Field struct {
	Name     string // in JSON
	Tool     string // as an argument of a tool
	Query    string // as a parameter of a URL
	Flag     string // on the command line
	Short    string // the flag's shorthand, or ""
	Word     string // the word of Help that stands for the value, or ""
	Help     string
	Enum     []string // the values it takes; none means any
	Min, Max *float64 // nil means no bound
	Default  string
	Env      string
	Required bool
	Type     reflect.Type
	index    []int
}

// In returns the field of an input, which is a struct or a pointer to one.
func (f Field) In(input reflect.Value) reflect.Value {
	return reflect.Indirect(input).FieldByIndex(f.index)
}

// Of lists the fields of a struct in their order, or in that of names where there are
// any. A field of an embedded struct gives way to a field of the same name beside it. It
// panics if a name is not a field: that is a mistake in the program.
func Of(input reflect.Type, names ...string) []Field {
	var all []Field
	for _, field := range reflect.VisibleFields(input) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || !field.IsExported() {
			continue
		}
		made := describe(name, options, field)
		same := slices.IndexFunc(all, func(f Field) bool { return f.Name == name })
		switch {
		case same < 0:
			all = append(all, made)
		case len(field.Index) < len(all[same].index):
			all[same] = made
		}
	}
	if len(names) == 0 {
		return all
	}
	chosen := make([]Field, len(names))
	for i, name := range names {
		at := slices.IndexFunc(all, func(f Field) bool { return f.Name == name })
		if at < 0 {
			panic(fmt.Sprintf("%s has no field %q", input, name))
		}
		chosen[i] = all[at]
	}
	return chosen
}

func describe(name, options string, field reflect.StructField) Field {
	tag := field.Tag.Get
	flag := append(strings.Split(tag("flag"), ","), "", "", "")
	return Field{
		Name: name, Tool: cmp.Or(tag("tool"), name), Query: cmp.Or(tag("query"), name),
		Flag: cmp.Or(flag[0], strings.ReplaceAll(name, "_", "-")), Short: flag[1], Word: flag[2],
		Help: tag("help"), Enum: Values(tag("enum")), Min: number(tag("min")), Max: number(tag("max")), Default: tag("default"), Env: tag("env"),
		Required: !strings.Contains(options, "omit"), Type: field.Type, index: field.Index,
	}
}

func number(text string) *float64 {
	if text == "" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err) // a tag of ours
	}
	return &n
}

// Values is a list of package facts by its name, or the list as it is written.
func Values(text string) []string {
	switch text {
	case "":
		return nil
	case "types":
		return texts(facts.Types())
	case "kinds":
		return texts(facts.Kinds())
	case "reaches":
		return texts(facts.Reaches())
	case "operations":
		return texts(facts.Operations())
	case "durabilities":
		return texts(facts.Durabilities())
	case "sources":
		return texts(facts.Sources())
	}
	return strings.Split(text, ",")
}

func texts[T ~string](list []T) []string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = string(v)
	}
	return all
}

// Time is the type of a moment.
var Time = reflect.TypeFor[time.Time]()
