package index

// ScopeRule says whether the facts of a scope and of those below it are shown.
type ScopeRule struct {
	Scope string // "" is every fact
	Show  bool
}

// restrict leaves in what rules show: everything, as far as no rule says
// otherwise; a later rule beats an earlier one.
func (f *filter) restrict(rules []ScopeRule) error {
	shown := f.seg.all()
	for _, r := range rules {
		set := f.seg.all()
		if r.Scope != "" {
			var err error
			if set, err = f.seg.documents(filterField, filterTerm(byScope, r.Scope)); err != nil {
				return err
			}
		}
		if r.Show {
			shown.Or(set)
		} else {
			shown.AndNot(set)
		}
	}
	if f.allowed == nil {
		f.allowed = shown
	} else {
		f.allowed.And(shown)
	}
	return nil
}
