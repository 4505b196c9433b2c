package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// errDamaged says that the files of an index are not what was written.
var errDamaged = errors.New("the index was damaged")

// errRebuild says that an index has to be built anew, and why. build names the
// one that was found unfit, if it could be opened.
type errRebuild struct {
	reason, build string
	damage        bool
}

func (e *errRebuild) Error() string { return e.reason }

// damaged turns an error of Bleve's into the demand to build anew.
func damaged(err error, build string) error {
	if unwritable(err) || diskFull(err) {
		return err
	}
	return &errRebuild{fmt.Sprintf("%v: %v", errDamaged, err), build, true}
}

// lockError makes every failure to lock but a cancelled context one of a folder
// that cannot be written.
func lockError(ctx context.Context, err error) error {
	if cause := contextError(ctx); cause != nil || diskFull(err) {
		return err
	}
	return fmt.Errorf("%w: %w", err, fs.ErrPermission)
}

// unwritable reports whether err says that the file system refuses to be
// written.
func unwritable(err error) bool {
	if source := (*sourceError)(nil); errors.As(err, &source) {
		return false // it was git that was refused something
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// diskFull reports whether err says so; Bleve passes on the text alone.
func diskFull(err error) bool {
	return err != nil && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		strings.Contains(err.Error(), syscall.ENOSPC.Error()) || strings.Contains(err.Error(), syscall.EDQUOT.Error()))
}

// sourceError is an error of the Source, which says nothing about the index.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }
func (e *sourceError) Unwrap() error { return e.err }

func contextError(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
