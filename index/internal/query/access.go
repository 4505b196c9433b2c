package query

import "engram/index/internal/version"

// ScopeRule says whether the facts of a scope and of those below it are shown.
type ScopeRule struct {
	Scope string // "" is every fact
	Show  bool
}

// applyAccess keeps what rules show: everything that no rule hides; a later rule overrides
// an earlier one.
func (f *Filter) applyAccess(rules []ScopeRule) error {
	shown := f.Seg.All()
	for _, r := range rules {
		set := f.Seg.All()
		if r.Scope != "" {
			var err error
			if set, err = f.Seg.Documents(version.FilterField, version.FilterTerm(version.ByScope, r.Scope)); err != nil {
				return err
			}
		}
		if r.Show {
			shown.Or(set)
		} else {
			shown.AndNot(set)
		}
	}
	f.allow(shown)
	return nil
}
