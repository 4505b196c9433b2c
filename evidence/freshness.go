package evidence

// Freshness is the verdict on a pointer in a checkout.
type Freshness string

// The verdicts.
const (
	Fresh     Freshness = "fresh"     // the same bytes stand there
	Moved     Freshness = "moved"     // the same bytes stand elsewhere
	Drifted   Freshness = "drifted"   // something else stands there
	Missing   Freshness = "missing"   // nothing stands there
	Unchecked Freshness = "unchecked" // nobody could, or had the time to, compare
)

// Freshnesses lists every verdict, the best first.
func Freshnesses() []Freshness { return []Freshness{Fresh, Moved, Drifted, Missing, Unchecked} }

// Worst returns the verdict on a fact from those on its pointers: the first of
// missing, drifted, moved and fresh that occurs, else unchecked.
func Worst(all []Freshness) Freshness {
	for _, f := range []Freshness{Missing, Drifted, Moved, Fresh} {
		for _, one := range all {
			if one == f {
				return f
			}
		}
	}
	return Unchecked
}
