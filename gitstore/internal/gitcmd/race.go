package gitcmd

import (
	"context"
	"errors"
)

// How often a lost race for a reference is run again.
const (
	maxRaces  = 50 // against a git that knows no lock of engram's
	lockTries = 5  // for git's own lock, which git waits half a second for each time
)

// Race counts the lost races of one writer.
type Race struct {
	Lost             error // wrapped by the error of a race that another writer won
	Attempts, locked int
}

// Again reports whether err is a lost race that is worth another attempt.
func (r *Race) Again(err error) bool {
	r.Attempts++
	if errors.Is(err, ErrLocked) {
		r.locked++
	}
	return (errors.Is(err, r.Lost) || errors.Is(err, ErrLocked)) && r.Attempts < maxRaces && r.locked < lockTries
}

// Wait sleeps before the next attempt.
func (r *Race) Wait(ctx context.Context) error { return BackOff(ctx, r.Attempts-1) }
