package memory

import (
	"engram/internal/hint"
	"engram/memory/internal/class"
)

// Classify finds the code of an error and what to do next, which may be the zero hint.
func Classify(err error) (Code, hint.Hint) {
	return class.Classify(err)
}
