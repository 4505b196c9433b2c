package memory

import "time"

// age is how long ago a fact was stated, in the words in which people say it:
// "12 minutes", "5 months", rounded down. What a faster clock dates into the future
// has just been said. It is "" where no time is known.
func age(stated, now time.Time) string {
	const (
		day   = 24 * time.Hour
		year  = 365*day + 6*time.Hour
		month = year / 12
	)
	d := now.Sub(stated)
	in := func(unit time.Duration, name string) string { return counted(int(d/unit), name) }
	switch {
	case stated.IsZero():
		return ""
	case d < time.Minute:
		return "under a minute"
	case d < time.Hour:
		return in(time.Minute, "minute")
	case d < 2*day:
		return in(time.Hour, "hour")
	case d < 60*day:
		return in(day, "day")
	case d < 2*year:
		return in(month, "month")
	}
	return in(year, "year")
}
