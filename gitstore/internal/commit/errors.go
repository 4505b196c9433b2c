package commit

import (
	"errors"
)

var (
	// ErrNoIdentity: git knows no name and email to commit under.
	ErrNoIdentity = errors.New("git has no identity configured")
	// ErrSigning: git could not sign the commit.
	ErrSigning = errors.New("the commit could not be signed")
	// ErrClash: a path differs only by case from one that exists, or a folder
	// stands where a file belongs.
	ErrClash = errors.New("path clashes with another")
)
