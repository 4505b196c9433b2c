package class

import (
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Classify finds the code of an error and what to do next, which may be the zero hint.
// It asks the rows of classes in order.
func Classify(err error) (core.Code, hint.Hint) {
	for _, c := range classes() {
		if advice, ok := c.match(err); ok {
			return c.code, advice
		}
	}
	return core.CodeFailure, hint.Hint{}
}
