package bus

import (
	"encoding/json"
	"fmt"
	"strings"

	"engram/facts"
)

// Turn is what an agent pulled since its turn began.
type Turn struct {
	RepoSpans        int `json:"repo_spans"`
	ArtifactSections int `json:"artifact_sections"`
	SAMItems         int `json:"sam_items"`
	Tokens           int `json:"tokens"`
}

// Use is what pulling one excerpt costs.
type Use struct {
	Type   facts.PointerType
	Tokens int
}

// Add is the turn after a use, or, with less, before it. A url is never fetched and
// counts as nothing but its tokens.
func (t Turn) Add(u Use) Turn { return t.count(u.Type, 1, u.Tokens) }

// Less takes a use back.
func (t Turn) Less(u Use) Turn { return t.count(u.Type, -1, -u.Tokens) }

func (t Turn) count(kind facts.PointerType, n, tokens int) Turn {
	if used, _, _ := t.class(kind, Deref{}); used != nil {
		*used = max(*used+n, 0)
	}
	t.Tokens = max(t.Tokens+tokens, 0)
	return t
}

// class is the count that a pointer of a type goes by, with its limit and the limit's
// name; nil where there is none.
func (t *Turn) class(kind facts.PointerType, limits Deref) (used *int, limit int, name string) {
	switch kind {
	case facts.PointRepo, facts.PointDiff, facts.PointTest:
		return &t.RepoSpans, limits.RepoSpans, "max_repo_spans"
	case facts.PointArtifact:
		return &t.ArtifactSections, limits.ArtifactSections, "max_artifact_sections"
	case facts.PointSAM:
		return &t.SAMItems, limits.SAMItems, "max_sam_items"
	}
	return nil, 0, ""
}

// Room is how many tokens a turn has left for what ref, of a type, points at. Where it
// has none, the refusal names the limit, and the entry to ask the parent by.
func (d Deref) Room(t Turn, kind facts.PointerType, ref string) (tokens int, refusal *Refusal) {
	d = Limits{Deref: d}.WithDefaults().Deref
	if used, limit, name := t.class(kind, d); used != nil && *used >= limit {
		return 0, denied(name, limit, *used+1, ref, fmt.Sprintf("this turn has used %d of %d excerpts for %s pointers", *used, limit, kind))
	}
	if t.Tokens >= d.Tokens {
		return 0, denied("max_deref_tokens", d.Tokens, t.Tokens, ref, fmt.Sprintf("this turn has used %d of %d tokens", t.Tokens, d.Tokens))
	}
	return d.Tokens - t.Tokens, nil
}

func denied(name string, limit, amount int, ref, reason string) *Refusal {
	return &Refusal{Code: DerefDenied, Name: name, Limit: limit, Amount: amount,
		Reason: reason + "; ask the parent for a grant, or wait for the next turn", Resend: AskFor(ref)}
}

// RefuseGrant refuses what a grant was to pay for, and says how to ask for another.
func RefuseGrant(ref, reason string) *Refusal {
	return &Refusal{Code: DerefDenied, Name: "budget_token", Reason: reason, Resend: AskFor(ref)}
}

// AskFor is the part of a message that asks a parent to let its child read what a
// reference points at, as YAML in one line. The child has to say why.
func AskFor(ref string) string {
	a, err := facts.ParseRef(ref)
	if err != nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("DEREF_REQUESTS: ")
	e := json.NewEncoder(&b) // JSON is YAML in its flow style
	e.SetEscapeHTML(false)
	if err := e.Encode([]DerefRequest{{Pointer: Pointer{Type: string(a.Type), Ref: ref}, Reason: "(say what you need it for)"}}); err != nil {
		return "" // unreachable: texts alone
	}
	return strings.TrimSpace(b.String())
}
