package evidence

// Freshness is the verdict on a pointer against a checkout.
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

// Worst is the verdict on a fact of which all pointers have one: missing, then
// drifted, moved and fresh; unchecked where none of these was found.
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
