package exchange

import (
	"strconv"
	"strings"
	"time"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// ParseLifetime reads how long a grant is good for: as Go writes durations (30m, 8h,
// 1h30m), in days or weeks (7d, 2w), or as ISO 8601 does (PT30M, P7D). "" is 0, which
// stands for the default. The error wraps ErrUsage.
func ParseLifetime(text string) (time.Duration, error) {
	form := hint.New("write it as PT30M or P1D, or as 30m or 1d; at most 30 days")
	if text == "" {
		return 0, nil
	}
	d, ok := lifetimeOf(text)
	switch {
	case !ok || d <= 0:
		return 0, core.UsageErrorf(form, "lifetime %.40q is not a duration", text)
	case d > bus.MaxGrantLifetime:
		return 0, core.UsageErrorf(form, "lifetime %.40q is too long: a grant lasts 30 days at most", text)
	}
	return d, nil
}

func lifetimeOf(text string) (time.Duration, bool) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, true
	}
	const day = 24 * time.Hour
	for unit, length := range map[string]int{"d": 1, "w": 7} {
		if number, found := strings.CutSuffix(text, unit); found {
			if n, err := strconv.ParseUint(number, 10, 16); err == nil {
				return time.Duration(n) * time.Duration(length) * day, true
			}
		}
	}
	p, err := facts.ParseTTL(text)
	if err != nil {
		return 0, false
	}
	// Whatever has months in it is too long, and so are days that no Duration holds.
	days := min(p.Days+31*p.Months+365*p.Years, 10_000)
	return time.Duration(days)*day + min(p.Exact, 10_000*day), true
}
