package claim

// Clause is a part of a claim that states something by itself.
type Clause struct {
	From, To       int // its terms
	Verb           int // the term that links its subject to the rest, or from
	Denials        int
	Conditions     []Condition
	given          []Condition // those of the form "with the flag set", which are among conditions
	Features       Features
	OpenEnded      bool // leaves room for others
	Exclusive      bool // leaves no room for others: only, sole, no other
	Dismisses      bool // says of what it mentions that it is not so, or is not accepted
	AssertsNothing bool // asserts nothing: a question, an example, a step
	Provisional    bool // holds unless, until or only if something is so, or for what is without something
}

// LeavesNoOther reports a clause that leaves no room for a second of a kind, and so
// excludes a list of others too.
func (c *Clause) LeavesNoOther() bool { return c.Exclusive || c.Features&HasUniversal != 0 }
