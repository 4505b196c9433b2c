package entity

import "strings"

// Incompatible reports whether a and b cannot both hold: the same slot under
// the same condition with values that exclude each other. Former values,
// approximations and different dimensions are never incompatible.
func Incompatible(a, b Entity) bool {
	if a.Slot() == "" || a.Slot() != b.Slot() || a.Unit != b.Unit ||
		a.Condition != b.Condition || a.Old || b.Old {
		return false
	}
	return Exclusive(a, b)
}

// Exclusive reports whether two values of one type and unit cannot both be that
// of one thing.
func Exclusive(a, b Entity) bool {
	switch a.Type {
	case State:
		return a.Text != b.Text && (a.Text == "not "+b.Text || b.Text == "not "+a.Text || !denies(a.Text) && !denies(b.Text))
	case Release, Date:
		return a.Bound == b.Bound && differ(a.Negated, b.Negated, a.Text == b.Text)
	}
	if a.Negated || b.Negated {
		return differ(a.Negated, b.Negated, a.Value == b.Value)
	}
	return apart(a, b) || apart(b, a)
}

// denies reports the states that only exclude one other state.
func denies(state string) bool { return strings.HasPrefix(state, "not ") }

// differ compares two texts of which each may be denied.
func differ(a, b, same bool) bool {
	if a || b {
		return a != b && same
	}
	return !same
}

// apart reports whether the numbers that a allows all lie below those of b, or
// both are exact or bounded in the same way and differ.
func apart(a, b Entity) bool {
	switch {
	case a.Bound == About || b.Bound == About:
		high := max(a.Value, b.Value)
		return a.Value != b.Value && min(a.Value, b.Value) < 0.8*high
	case a.Bound == b.Bound:
		return a.Value != b.Value
	case b.Bound == AtLeast || a.Bound == AtMost:
		return a.Value < b.Value && a.Bound != AtLeast && b.Bound != AtMost
	}
	return false
}
