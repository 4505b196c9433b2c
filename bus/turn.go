package bus

import (
	"encoding/json"
	"fmt"
	"strings"

	"engram/facts"
)

// Turn counts what an agent has read since its turn began.
type Turn struct {
	RepoSpans        int `json:"repo_spans"`
	ArtifactSections int `json:"artifact_sections"`
	SAMItems         int `json:"sam_items"`
	Tokens           int `json:"tokens"`
}

// Use is the cost of reading one excerpt.
type Use struct {
	Type   facts.PointerType
	Tokens int
}

// Add returns the turn with a use added. A URL is never fetched, so only its tokens
// count.
func (t Turn) Add(u Use) Turn { return t.count(u.Type, 1, u.Tokens) }

// Less returns the turn with a use removed.
func (t Turn) Less(u Use) Turn { return t.count(u.Type, -1, -u.Tokens) }

func (t Turn) count(kind facts.PointerType, n, tokens int) Turn {
	if used, _, _ := t.class(kind, Deref{}); used != nil {
		*used = max(*used+n, 0)
	}
	t.Tokens = max(t.Tokens+tokens, 0)
	return t
}

// class returns the counter for a type of pointer, its limit and the limit's name. The
// counter is nil if the type has no limit.
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

// Room returns how many tokens a turn has left for ref, a reference of the given type.
// If none are left, the refusal names the limit and has the request to send to the parent.
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

// RefuseGrant returns the refusal for a grant that cannot be used, with a request for
// another grant.
func RefuseGrant(ref, reason string) *Refusal {
	return &Refusal{Code: DerefDenied, Name: "budget_token", Reason: reason, Resend: AskFor(ref)}
}

// AskFor returns the part of a message that asks a parent for access to a reference, as
// one line of YAML. The child fills in the reason.
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
		return "" // unreachable: strings alone
	}
	return strings.TrimSpace(b.String())
}
