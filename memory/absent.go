package memory

import (
	"fmt"

	"engram/internal/hint"
)

// absentError says that nothing stands behind a pointer. Its message is for people on
// every surface; hint says where to look instead, and may be zero.
type absentError struct {
	message string
	hint    hint.Hint
	unknown bool // the commit is not here, so that nobody knows
}

func (e *absentError) Error() string { return e.message }

// Is makes it an ErrNotFound.
func (e *absentError) Is(target error) bool { return target == ErrNotFound }

// absent says that nothing stands behind a pointer.
func absent(h hint.Hint, format string, args ...any) error {
	return &absentError{message: fmt.Sprintf(format, args...), hint: h}
}
