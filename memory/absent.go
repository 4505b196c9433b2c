package memory

import "fmt"

// absentError says that nothing stands behind a pointer. Its message is for people on
// every surface; hint says where to look instead, and may be "".
type absentError struct {
	message, hint string
	unknown       bool // the commit is not here, so that nobody knows
}

func (e *absentError) Error() string { return e.message }

// Is makes it an ErrNotFound.
func (e *absentError) Is(target error) bool { return target == ErrNotFound }

// absent says that nothing stands behind a pointer.
func absent(hint, format string, args ...any) error {
	return &absentError{message: fmt.Sprintf(format, args...), hint: hint}
}
