package gitcmd

import (
	"context"
	"math/rand/v2"
	"time"
)

// BackOff sleeps 5 ms the first time, twice as long each further time up to 80
// ms, give or take half of it so that losers do not meet again. Longer waits
// would not help against a script that commits without pause, and all that
// time the other writers of engram wait as well.
func BackOff(ctx context.Context, attempt int) error {
	d := 5 * time.Millisecond << min(attempt, 4)
	select {
	case <-time.After(d/2 + rand.N(d)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
