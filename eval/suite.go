package eval

import (
	"fmt"
	"strings"
	"time"

	"engram/facts"
	"engram/memory"
)

// suite is facts, and questions with what answers them.
type suite struct {
	name      string
	about     string // one sentence: what is asked, and what answers it
	facts     []fact
	questions []question
	// grouped suites rank not facts but groups of facts, such as sessions.
	grouped bool
	// only names the systems that are asked; nil means all. A variant of a suite
	// leaves out those that cannot see the difference.
	only  []string
	notes []string // what was left out of the data, and why
}

// fact is what goes into the memory, and the item that is found by it: its
// group where the suite ranks groups, its key otherwise.
type fact struct {
	record memory.Record
	item   string
}

// question is one question with the items that answer it.
type question struct {
	id       string
	text     string
	scope    string // the part of the memory that is asked; "" is all of it
	relevant []string
	subsets  []string // it counts towards these, besides subsetAll
}

// subsetAll are all questions of a suite.
const subsetAll = "all"

// now is the present of every suite, so that a run can be repeated.
func now() time.Time { return time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC) }

// newFact makes a fact that an import takes as it is. n numbers the facts of a
// suite; group ends up in key and scope and has to be fit for both.
func newFact(n int, group, claim, detail string) fact {
	key := facts.Key{Namespace: "domain", Category: group, Identifier: fmt.Sprintf("f%06d", n)}
	r := memory.Record{
		CommitInput: memory.CommitInput{Claim: claim, Detail: detail, Key: key.String(), Scope: group, Agent: "eval"},
		Committed:   now().Add(-24 * time.Hour),
	}
	identify(&r, n)
	return fact{record: r, item: group}
}

// identify gives a record an id and a lineage, without which an import would
// stamp it with the present.
func identify(r *memory.Record, n int) {
	r.FactID = fmt.Sprintf("01%024d", n)
	r.Lineage = r.FactID
	r.ValidFrom = r.Committed
}

// text is what the fact says, for systems that know no fields.
func (f fact) text() string {
	r := f.record
	return strings.Join([]string{r.Claim, r.Detail, r.Scope, r.Key, strings.Join(r.Tags, " ")}, " ")
}

// said is the part of text that is the fact's own.
func (f fact) said() string { return f.record.Claim + " " + f.record.Detail }

// path is the fact's file on the branch.
func (f fact) path() string { return f.record.Key + facts.FileSuffix }
