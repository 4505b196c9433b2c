package bus

import (
	"errors"
	"time"

	"engram/facts"
)

// ErrLifetime: a text is no time that a grant can be good for.
var ErrLifetime = errors.New("lifetime is no duration above 0 of at most 30 days")

// ParseLifetime reads how long a grant is good for, an ISO-8601 duration such as PT1H or
// P1D. It wraps ErrLifetime where it is none, or longer than MaxGrantLifetime; months and
// years always are.
func ParseLifetime(text string) (time.Duration, error) {
	const day = 24 * time.Hour
	p, err := facts.ParseTTL(text)
	if err != nil || p.Years > 0 || p.Months > 0 || p.Days < 0 || p.Days > int(MaxGrantLifetime/day) || p.Exact < 0 || p.Exact > MaxGrantLifetime {
		return 0, ErrLifetime
	}
	if d := time.Duration(p.Days)*day + p.Exact; d > 0 && d <= MaxGrantLifetime {
		return d, nil
	}
	return 0, ErrLifetime
}
