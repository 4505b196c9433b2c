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

// errRebuild says that an index has to be rebuilt, and why. build names the unusable one,
// if it could be opened.
type errRebuild struct {
	reason, build string
	damage        bool
}

func (e *errRebuild) Error() string { return e.reason }

// Rebuild is a demand to rebuild the index with a stamp.
func Rebuild(reason string, st store.Stamp) error { return &errRebuild{reason, st.Build, false} }

// Damaged turns an error of Bleve while the index with a stamp was read into a demand
// to rebuild it.
func Damaged(err error, st store.Stamp) error { return damaged(err, st.Build) }

// damaged turns an error of Bleve into a demand to rebuild.
func damaged(err error, build string) error {
	if unwritable(err) || diskFull(err) {
		return err
	}
	return &errRebuild{fmt.Sprintf("%v: %v", store.ErrDamaged, err), build, true}
}

// lockError classifies every failure to lock, except cancellation, as a folder that cannot
// be written.
func lockError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil || diskFull(err) {
		return err
	}
	return fmt.Errorf("%w: %w", err, fs.ErrPermission)
}

// unwritable reports whether err says that the file system does not permit writing.
func unwritable(err error) bool {
	if source := (*version.SourceError)(nil); errors.As(err, &source) {
		return false // git lacks a permission, not the index
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// diskFull reports whether err says that the disk is full; Bleve passes on only the text.
func diskFull(err error) bool {
	return err != nil && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		strings.Contains(err.Error(), syscall.ENOSPC.Error()) || strings.Contains(err.Error(), syscall.EDQUOT.Error()))
}
