package corpus

import (
	"fmt"
	"strings"
	"time"

	"engram/facts"
	"engram/memory"
)

// Fact is what goes into the memory, and the item that is found by it: its
// group where the suite ranks groups, its key otherwise.
type Fact struct {
	Record memory.Record
	Item   string
}

// SubsetAll are all questions of a suite.
const SubsetAll = "all"

// Now is the present of every suite, so that a run can be repeated.
func Now() time.Time { return time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC) }

// NewFact makes a fact that an import takes as it is. n numbers the facts of a
// suite; group ends up in key and scope and has to be fit for both.
func NewFact(n int, group, claim, detail string) Fact {
	key := facts.Key{Namespace: "domain", Category: group, Identifier: fmt.Sprintf("f%06d", n)}
	r := memory.Record{
		CommitInput: memory.CommitInput{Claim: claim, Detail: detail, Key: key.String(), Scope: group, Agent: "eval"},
		Committed:   Now().Add(-24 * time.Hour),
	}
	Identify(&r, n)
	return Fact{Record: r, Item: group}
}

// Identify gives a record an id and a lineage, without which an import would
// stamp it with the present.
func Identify(r *memory.Record, n int) {
	r.FactID = fmt.Sprintf("01%024d", n)
	r.Lineage = r.FactID
	r.ValidFrom = r.Committed
}

// Text is what the fact says, for systems that know no fields.
func (f Fact) Text() string {
	r := f.Record
	return strings.Join([]string{r.Claim, r.Detail, r.Scope, r.Key, strings.Join(r.Tags, " ")}, " ")
}

// Said is the part of text that is the fact's own.
func (f Fact) Said() string { return f.Record.Claim + " " + f.Record.Detail }

// Path is the fact's file on the branch.
func (f Fact) Path() string { return f.Record.Key + facts.FileSuffix }
