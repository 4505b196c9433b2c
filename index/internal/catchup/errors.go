package catchup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"engram/index/internal/store"
	"engram/index/internal/version"
)

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
	return &errRebuild{fmt.Sprintf("%v: %v", store.ErrDamaged, err), build, true}
}

// lockError makes every failure to lock but a cancelled context one of a folder
// that cannot be written.
func lockError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil || diskFull(err) {
		return err
	}
	return fmt.Errorf("%w: %w", err, fs.ErrPermission)
}

// unwritable reports whether err says that the file system refuses to be
// written.
func unwritable(err error) bool {
	if source := (*version.SourceError)(nil); errors.As(err, &source) {
		return false // it was git that was refused something
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// diskFull reports whether err says so; Bleve passes on the text alone.
func diskFull(err error) bool {
	return err != nil && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		strings.Contains(err.Error(), syscall.ENOSPC.Error()) || strings.Contains(err.Error(), syscall.EDQUOT.Error()))
}
