// Package flags makes flags of a use case's input: their names, shorthands, help texts
// and defaults come from the tags of the input, as package fields reads them, and are the
// same as those of tools and of HTTP.
package flags

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/pflag"

	"engram/internal/fields"
)

// Bind adds a flag for each of the named fields of an input, which is a pointer to a
// struct. The names are those in JSON. It panics if a field cannot be a flag: that is a
// mistake in the program.
func Bind(set *pflag.FlagSet, input any, names ...string) {
	value := reflect.ValueOf(input)
	for _, f := range fields.Of(value.Type().Elem(), names...) {
		usage := usage(f)
		switch into := f.In(value).Addr().Interface().(type) {
		case *string:
			set.StringVarP(into, f.Flag, f.Short, "", usage)
		case *[]string:
			set.StringArrayVarP(into, f.Flag, f.Short, nil, usage)
		case *int:
			set.IntVarP(into, f.Flag, f.Short, 0, usage)
		case *int64:
			set.Int64VarP(into, f.Flag, f.Short, 0, usage)
		case *bool:
			set.BoolVarP(into, f.Flag, f.Short, false, usage)
		default:
			panic(fmt.Sprintf("--%s cannot be a %T", f.Flag, into))
		}
	}
}

// Text adds the flag of one field as a text, which the command itself reads: a time, for
// instance, counted from now. or says what else the value may be, such as "or commit".
func Text(set *pflag.FlagSet, into *string, input any, name, or string) {
	f := fields.Of(reflect.TypeOf(input).Elem(), name)[0]
	f.Help = strings.TrimSpace(f.Help + " " + or)
	set.StringVarP(into, f.Flag, f.Short, "", usage(f))
}

// usage is the help of a flag, with the word that stands for its value in quotes.
func usage(f fields.Field) string {
	help := f.Help
	if f.Word != "" {
		help = strings.Replace(help, f.Word, "`"+f.Word+"`", 1)
	}
	if len(f.Enum) > 0 {
		help += ": " + strings.Join(f.Enum, ", ")
	}
	switch {
	case f.Type == fields.Time:
		help += " (see engram help times)"
	case f.Type.Kind() == reflect.Slice:
		help += "; may be repeated"
	}
	if bounds := bounds(f); bounds != "" {
		help += " (" + bounds + ")"
	}
	return help
}

// bounds says where the default comes from, what it is, and the greatest number.
func bounds(f fields.Field) string {
	var parts []string
	if f.Default != "" {
		parts = append(parts, "default "+f.Default)
	}
	if f.Max != nil {
		parts = append(parts, fmt.Sprintf("at most %g", *f.Max))
	}
	text := strings.Join(parts, ", ")
	if f.Env != "" {
		return strings.TrimSuffix(f.Env+"; "+text, "; ")
	}
	return text
}
