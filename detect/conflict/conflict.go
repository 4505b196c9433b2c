// Package conflict keeps a finding as a fact on the branch, and decides what becomes
// of it when the facts change. docs/format.md describes its bytes.
package conflict

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/detect/finding"
	"engram/facts"
)

// Status is how far a conflict has come.
type Status string

// The statuses.
const (
	Open      Status = "open"
	Resolved  Status = "resolved"
	Dismissed Status = "dismissed" // somebody said that there is no conflict
	Closed    Status = "closed"    // an audit found that one side no longer holds
)

// Statuses lists every status.
func Statuses() []Status { return []Status{Open, Resolved, Dismissed, Closed} }

// Resolution is how a conflict was settled.
type Resolution string

// The resolutions.
const (
	ByWinner     Resolution = "winner"            // one side stands, the other's window closes
	ByMerge      Resolution = "merge"             // a third fact says what holds
	ByDismissal  Resolution = "dismissed"         // both stand
	ByLastWriter Resolution = "last-writer"       // the side that begins later stands
	ByConfidence Resolution = "higher-confidence" // the side of the higher confidence stands
)

// Resolutions lists every way.
func Resolutions() []Resolution {
	return []Resolution{ByWinner, ByMerge, ByDismissal, ByLastWriter, ByConfidence}
}

// Party is one side of a conflict: a version of a fact.
type Party struct {
	Key    facts.Key
	ID     string
	Digest string // facts.ContentHash of its claim
}

// PartyOf is a fact as a side of a conflict.
func PartyOf(f facts.Fact) Party { return Party{f.Key, f.ID, facts.ContentHash(f.Claim)} }

// Conflict is a pair of facts that cannot both hold. It is stored on the branch as a
// fact at risk/conflict/<id>, without the places of its Finding, which follow from the
// claims.
type Conflict struct {
	ID   string // ConflictID
	A, B Party  // in the order of Order
	finding.Finding
	Status     Status
	Resolution Resolution // of Resolved and Dismissed
	Winner     string     // the id of the version that stands, where one does
	Reason     string     // why it was settled so
	Scope      string     // what both sides have in common
	// Basis says by what it was found: the version of the rules, or the model and
	// its threshold. Only what is open has it.
	Basis string
	// By is who settled it: agent and engineer. Evidence is what they name.
	By, Engineer, Evidence string
	// Discount says why the decision of an agent counts less; "" if it does not.
	Discount Discount
	At       time.Time // since when it has been as it is
	Version  string    // the id of this version of the fact
	Previous string    // the id of the version before; "" for the first
	// Unknown and UnknownBy are fields of later formats, of the fact and of its
	// provenance. They stay from version to version.
	Unknown, UnknownBy []facts.Unknown
}

const (
	namespace = "risk"
	category  = "conflict"
	tag       = "conflict"
)

// Auditor is the agent of what an audit writes.
const Auditor = "engram-audit"

// Prefix is where conflicts stand on the branch.
const Prefix = namespace + "/" + category

// ID names the conflict of two lineages, in whatever order: 16
// hexadecimal digits, the same in every clone.
func ID(a, b string) string {
	return hex.EncodeToString(facts.DigestOf(min(a, b), max(a, b))[:8])
}

// Key is where a conflict stands.
func Key(id string) facts.Key {
	return facts.Key{Namespace: namespace, Category: category, Identifier: id}
}

// IsKey reports whether a key is that of a conflict.
func IsKey(k facts.Key) bool {
	return k.Namespace == namespace && k.Category == category
}

// Order puts two facts into the order in which they are the sides of a
// conflict: by lineage, which is the same in every clone.
func Order(a, b facts.Fact) (facts.Fact, facts.Fact) {
	if cmp.Or(cmp.Compare(a.Lineage, b.Lineage), cmp.Compare(a.Key.String(), b.Key.String())) > 0 {
		return b, a
	}
	return a, b
}

// New is the conflict that a finding between two facts is, open since
// the later of the two began. The facts are in the order of Order. What it is
// made of is theirs alone, so that two clones that find the same write the same
// bytes.
func New(a, b facts.Fact, f finding.Finding, basis string) Conflict {
	at := a.ValidFrom
	if b.ValidFrom.After(at) {
		at = b.ValidFrom
	}
	return Conflict{
		ID: ID(a.Lineage, b.Lineage), A: PartyOf(a), B: PartyOf(b), Finding: f, Status: Open,
		Scope: commonScope(a.Scope, b.Scope), Basis: basis, At: at,
	}
}

// After makes c the version that follows another of the same conflict.
func (c Conflict) After(old Conflict) Conflict {
	c.Previous, c.Unknown, c.UnknownBy = old.Version, old.Unknown, old.UnknownBy
	if !c.At.After(old.At) {
		c.At = old.At.Add(time.Millisecond)
	}
	return c
}

// commonScope is the longest scope that both scopes are in.
func commonScope(a, b string) string {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return strings.Join(x[:n], "/")
}

// Fact is the conflict as a fact. docs/format.md describes it.
func (c Conflict) Fact() facts.Fact {
	f := facts.Fact{
		Key: Key(c.ID), Lineage: facts.DerivedULID(time.UnixMilli(0), "lineage", c.ID),
		Claim: c.headline(), Kind: facts.KindRisk, Type: facts.Inference, Scope: c.Scope, Tags: c.tags(),
		Pointers:  []facts.Pointer{pointerTo(c.A), pointerTo(c.B)},
		ValidFrom: c.At, Supersedes: c.Previous,
		Provenance: facts.Provenance{Agent: Auditor, Source: facts.SourceTool, Evidence: c.Basis, CreatedAt: c.At},
	}
	if c.Previous != "" {
		f.Operation = facts.OpUpdate
	}
	switch c.Status {
	case Closed:
		f.Operation, f.ValidUntil, f.Detail = facts.OpDelete, c.At.Add(time.Millisecond), c.Reason
	case Resolved, Dismissed:
		f.Claim, f.Detail, f.Kind, f.Type = facts.Cut(c.Settlement(), facts.MaxClaim), c.Explanation, facts.KindDecision, facts.Decision
		f.Provenance = facts.Provenance{Agent: c.By, Engineer: c.Engineer, Source: facts.SourceAgent, Evidence: c.Evidence, CreatedAt: c.At}
	}
	f.Unknown, f.Provenance.Unknown = c.Unknown, c.UnknownBy
	f.ID = facts.DerivedULID(c.At, "version", string(facts.Marshal(f)))
	return f
}

// headline returns the claim of an open conflict. It omits the keys if they leave no
// room for the explanation; the pointers have them.
func (c Conflict) headline() string {
	keys := c.keys()
	room := facts.MaxClaim - len(keys)
	if room < facts.MaxClaim/4 {
		return facts.Cut(c.Explanation, facts.MaxClaim)
	}
	return facts.Cut(c.Explanation, room) + keys
}

func (c Conflict) keys() string { return fmt.Sprintf(" (%s, %s)", c.A.Key, c.B.Key) }

// Settlement returns the claim of a settled conflict, which must fit into a claim.
func (c Conflict) Settlement() string {
	switch c.Resolution {
	case ByDismissal:
		return "No conflict: " + c.Reason
	case ByMerge:
		return "Settled by a third fact: " + c.Reason
	}
	key := c.A.Key
	if c.Winner == c.B.ID {
		key = c.B.Key
	}
	return fmt.Sprintf("Settled, %s stands: %s", key, c.Reason)
}

func pointerTo(p Party) facts.Pointer {
	return facts.Pointer{Ref: "sam:" + p.Key.String() + "@" + p.ID, Digest: "sha256:" + p.Digest}
}

// tags returns the fields of a conflict that a fact does not have.
func (c Conflict) tags() []string {
	tags := []string{
		tag, "status:" + string(c.Status), "tier:" + string(c.Tier), "severity:" + string(c.Severity),
		"verdict:" + string(c.Verdict), "score:" + strconv.FormatFloat(c.Score, 'f', 2, 64),
	}
	if c.Newer != finding.Neither {
		tags = append(tags, "newer:"+string(rune('a'-1+c.Newer)))
	}
	if c.Resolution != "" {
		tags = append(tags, "resolution:"+string(c.Resolution))
	}
	if c.Winner != "" {
		tags = append(tags, "winner:"+c.Winner)
	}
	if c.Family != "" {
		tags = append(tags, "family:"+c.Family)
	}
	if c.Grade == finding.Likely {
		tags = append(tags, "grade:"+string(c.Grade))
	}
	if c.Discount != "" {
		tags = append(tags, "discount:"+string(c.Discount))
	}
	return tags
}

// FromFact reads a conflict from its fact; ok is false where it is none, or
// was written by hand in another way.
func FromFact(f facts.Fact) (c Conflict, ok bool) {
	if !IsKey(f.Key) || f.Key.Sub != "" || !slices.Contains(f.Tags, tag) || len(f.Pointers) < 2 {
		return Conflict{}, false
	}
	c = Conflict{
		ID: f.Key.Identifier, Scope: f.Scope, Basis: f.Provenance.Evidence, At: f.ValidFrom, Version: f.ID, Previous: f.Supersedes,
		Unknown: f.Unknown, UnknownBy: f.Provenance.Unknown,
	}
	if !c.readTags(f.Tags) || !c.A.read(f.Pointers[0]) || !c.B.read(f.Pointers[1]) {
		return Conflict{}, false
	}
	if c.Status == Open && !f.ValidUntil.IsZero() { // retired by hand
		c.Status = Closed
	}
	c.Explanation = strings.TrimSuffix(f.Claim, c.keys())
	switch c.Status {
	case Closed:
		c.Reason = f.Detail
	case Resolved, Dismissed:
		c.Explanation, c.Basis = f.Detail, ""
		c.By, c.Engineer, c.Evidence = f.Provenance.Agent, f.Provenance.Engineer, f.Provenance.Evidence
		_, c.Reason, _ = strings.Cut(f.Claim, ": ")
	}
	c.discountOld()
	return c, true
}

func (c *Conflict) readTags(tags []string) (ok bool) {
	for _, tag := range tags {
		name, value, _ := strings.Cut(tag, ":")
		switch name {
		case "status":
			c.Status = Status(value)
		case "tier":
			c.Tier = finding.Tier(value)
		case "severity":
			c.Severity = finding.Severity(value)
		case "verdict":
			c.Verdict = finding.Verdict(value)
		case "score":
			score, err := strconv.ParseFloat(value, 64)
			if err != nil || !(score >= 0 && score <= 1) {
				return false
			}
			c.Score = score
		case "newer":
			c.Newer = map[string]finding.Side{"a": finding.SideA, "b": finding.SideB}[value]
		case "resolution":
			c.Resolution = Resolution(value)
		case "winner":
			c.Winner = value
		case "family", "grade", "discount":
			c.readFeedback(name, value)
		}
	}
	return slices.Contains(Statuses(), c.Status) && slices.Contains(finding.Tiers(), c.Tier) &&
		slices.Contains(finding.Severities(), c.Severity) && slices.Contains(finding.Verdicts(), c.Verdict)
}

func (p *Party) read(pointer facts.Pointer) (ok bool) {
	address, err := facts.ParseRef(pointer.Ref)
	if err != nil || address.Type != facts.PointSAM {
		return false
	}
	p.Key, err = facts.ParseKey(address.Path)
	p.ID, p.Digest = address.Version, strings.TrimPrefix(pointer.Digest, "sha256:")
	return err == nil && p.ID != ""
}
