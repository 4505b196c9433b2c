package claim

import (
	"strings"

	"engram/detect/entity"
)

// Value is a value with the clause and the terms it stands in.
type Value struct {
	entity.Entity
	Clause, From, To int
	Near, Far        int // the terms that may say what it is of, where a clause has several
	Conditions       []Condition
}

// Exact reports a version to the last digit, as lock files have them.
func (v *Value) Exact() bool { return v.Bound == entity.Exactly && strings.Count(v.Text, ".") > 1 }
