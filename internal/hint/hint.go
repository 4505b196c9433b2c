// Package hint says what to do about an error. A hint names what to do, and the fields
// of a request, by typed values; each surface puts them into its own words: the command
// line says `engram conflicts` and --limit, MCP engram_conflicts and limit. The package
// prints nothing and knows no error.
package hint

import (
	"fmt"
	"strings"
)

// Hint is advice: a sentence with the actions and fields that it names. The zero value
// is no hint.
type Hint struct {
	format string
	args   []any
}

// New makes a hint. The format has the verbs of package fmt; of the arguments, a Step
// and a Field are rendered in the words of the surface. The format itself names no
// command and no flag.
func New(format string, args ...any) Hint { return Hint{format, args} }

// IsZero reports whether there is no hint.
func (h Hint) IsZero() bool { return h.format == "" }

// Words are how a surface names actions and fields.
type Words struct {
	// Action is the surface's name of an action, with a %s for each of the step's
	// arguments that it shows; "" if the surface has none.
	Action func(Action) string
	// Command introduces the command that stands in for such an action; its format has
	// one %s.
	Command string
	// Field is the surface's name of a field.
	Field func(Field) string
}

// In is the hint in the words of a surface.
func (h Hint) In(w Words) string {
	if h.IsZero() {
		return ""
	}
	args := make([]any, len(h.args))
	for i, arg := range h.args {
		switch arg := arg.(type) {
		case Step:
			args[i] = arg.in(w)
		case Field:
			args[i] = w.Field(arg)
		default:
			args[i] = arg
		}
	}
	return fmt.Sprintf(h.format, args...)
}

// String is the hint in the words of the command line, which stand wherever a person reads
// it.
func (h Hint) String() string { return h.In(CommandLine()) }

// Step is an action with its arguments.
type Step struct {
	action Action
	args   []any
}

// Do is a step of a hint. It has an argument for each %s of the action's command.
func Do(a Action, args ...any) Step { return Step{a, args} }

func (s Step) in(w Words) string {
	if name := w.Action(s.action); name != "" {
		return s.fill(name)
	}
	return fmt.Sprintf(w.Command, s.fill(string(s.action)))
}

func (s Step) fill(format string) string {
	return fmt.Sprintf(format, s.args[:min(len(s.args), strings.Count(format, "%s"))]...)
}

// CommandLine are the words of the command line.
func CommandLine() Words {
	return Words{
		Action:  func(Action) string { return "" },
		Command: "`%s`",
		Field:   flag,
	}
}
