package facts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"engram/internal/lazyregexp"
)

// Fault is a problem with one field.
type Fault struct {
	Field   string `json:"field"`
	Problem string `json:"problem"`
}

// ValidationError lists every fault of a fact.
type ValidationError struct {
	Faults []Fault
}

func (e *ValidationError) Error() string {
	parts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		parts[i] = f.Field + " " + f.Problem
	}
	return strings.Join(parts, "; ")
}

var (
	branchForm = lazyregexp.New(`^[^\s\x00-\x20~^:?*\[\\\x7f-][^\s\x00-\x20~^:?*\[\\\x7f]*$`)
	ulidForm   = lazyregexp.New(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	scopeForm  = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$`)
)

// isScope reports whether a text is a topic path such as payments/webhooks.
func isScope(text string) bool { return scopeForm.MatchString(text) }

// Validate reports whether f may be stored on the branch of a team with manifest m.
// The error is a *ValidationError that lists every fault, so that a writer can fix
// them all at once.
func Validate(f Fact, m Manifest) error {
	v := validator{}
	v.identity(f, m)
	v.statement(f)
	v.classification(f)
	v.evidence(f)
	v.window(f)
	if len(v.faults) == 0 {
		v.file(f)
	}
	if len(v.faults) > 0 {
		return &ValidationError{Faults: v.faults}
	}
	return nil
}

type validator struct{ faults []Fault }

func (v *validator) add(field, format string, args ...any) {
	v.faults = append(v.faults, Fault{Field: field, Problem: fmt.Sprintf(format, args...)})
}

func (v *validator) identity(f Fact, m Manifest) {
	if f.Key.IsZero() {
		v.add("key", "is missing")
	} else if k, err := ParseKey(f.Key.String()); err != nil {
		v.add("key", "is not valid: %v", err)
	} else if k != f.Key {
		v.add("key", "has a slash inside a segment")
	} else if err := m.CheckKey(f.Key); err != nil {
		v.add("key", "is not valid: %v", err)
	}
	v.ulid("id", f.ID, true)
	v.ulid("lineage", f.Lineage, true)
	v.ulid("supersedes", f.Supersedes, false)
}

func (v *validator) ulid(field, id string, required bool) {
	switch {
	case id == "" && required:
		v.add(field, "is missing")
	case id != "" && !ulidForm.MatchString(id):
		v.add(field, "%q is not a ULID", abridge(id, 40))
	}
}

func (v *validator) statement(f Fact) {
	if FoldSpace(f.Claim) == "" {
		v.add("claim", "is missing")
	}
	v.text("claim", f.Claim, MaxClaim)
	if len(f.Detail) > MaxDetail {
		v.add("detail", "has %d bytes; at most %d fit", len(f.Detail), MaxDetail)
	}
	v.characters("detail", f.Detail, "\n\t")
	if len(f.Tags) > MaxTags {
		v.add("tags", "are %d; at most %d fit", len(f.Tags), MaxTags)
	}
	for i, tag := range f.Tags {
		field := fmt.Sprintf("tags[%d]", i)
		if tag == "" {
			v.add(field, "is empty")
		}
		v.text(field, tag, MaxTag)
	}
}

// text checks a text of one line that is at most max characters long.
func (v *validator) text(field, s string, max int) {
	if n := utf8.RuneCountInString(s); n > max {
		v.add(field, "has %d characters; at most %d fit", n, max)
	}
	v.characters(field, s, "")
}

// characters rejects bytes that are not UTF-8, and control characters that are not in
// allowed.
func (v *validator) characters(field, s, allowed string) {
	if !utf8.ValidString(s) {
		v.add(field, "is not UTF-8")
	}
	for _, r := range s {
		if unicode.IsControl(r) && !strings.ContainsRune(allowed, r) {
			v.add(field, "has the control character %U", r)
			return
		}
	}
}

func (v *validator) classification(f Fact) {
	oneOf(v, "kind", f.Kind, Kinds())
	oneOf(v, "type", f.Type, Types())
	oneOf(v, "reach", f.Reach, Reaches())
	oneOf(v, "durability", f.Durability, Durabilities())
	oneOf(v, "operation", f.Operation, []Operation{OpAdd, OpUpdate, OpDelete})
	oneOf(v, "provenance.source", f.Provenance.Source, Sources())
	if f.Scope != "" && !isScope(f.Scope) {
		v.add("scope", "%q is not a topic path such as payments/webhooks", abridge(f.Scope, 60))
	}
	if f.Branch != "" && (len(f.Branch) > MaxBranch || !branchForm.MatchString(f.Branch)) {
		v.add("branch", "%q is not the name of a git branch of at most %d bytes", abridge(f.Branch, 60), MaxBranch)
	}
	if _, err := ParseKey(f.For.String()); err != nil && !f.For.IsZero() {
		v.add("for", "is not valid: %v", err)
	}
	if len(f.Scope) > MaxScope {
		v.add("scope", "has %d bytes; at most %d fit", len(f.Scope), MaxScope)
	}
	if c := f.Confidence; c != nil && !(*c >= 0 && *c <= 1) {
		v.add("confidence", "%v is not between 0 and 1", *c)
	}
}

// oneOf accepts the zero value, which means not stated.
func oneOf[T ~string](v *validator, field string, value T, allowed []T) {
	if value == "" || slices.Contains(allowed, value) {
		return
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	v.add(field, "%q is not one of %s", abridge(string(value), 40), strings.Join(names, ", "))
}

func (v *validator) evidence(f Fact) {
	if len(f.Pointers) > MaxPointers {
		v.add("pointers", "are %d; at most %d fit", len(f.Pointers), MaxPointers)
	}
	for i, p := range f.Pointers {
		if _, err := ParseRef(p.Ref); err != nil {
			v.add(fmt.Sprintf("pointers[%d]", i), "is not valid: %v", err)
		}
		if p.Digest != "" && !IsDigest(p.Digest) {
			v.add(fmt.Sprintf("pointers[%d].digest", i), "must have the form algorithm:hex")
		}
	}
	v.text("provenance.agent", f.Provenance.Agent, MaxName)
	v.text("provenance.engineer", f.Provenance.Engineer, MaxName)
	v.text("provenance.evidence", f.Provenance.Evidence, MaxEvidence)
	if s := f.Provenance.Session; s != "" {
		if a, err := ParseRef(s); err != nil || !a.InSession() || a.Type != PointSAM {
			v.add("provenance.session", "must have the form sam:SESSION@EVENT")
		}
	}
}

func (v *validator) window(f Fact) {
	if f.ValidFrom.IsZero() {
		v.add("valid_from", "is missing")
	}
	v.moment("valid_from", f.ValidFrom)
	v.moment("valid_until", f.ValidUntil)
	v.moment("provenance.created_at", f.Provenance.CreatedAt)
	if f.TTL != "" {
		if _, err := ParseTTL(f.TTL); err != nil {
			v.add("ttl", "is not valid: %v", err)
		}
	}
	if !f.ValidUntil.IsZero() && !f.ValidUntil.After(f.ValidFrom) {
		v.add("valid_until", "is not after valid_from")
	}
}

// moment accepts the zero time, which means not stated.
func (v *validator) moment(field string, t time.Time) {
	switch {
	case t.IsZero():
	case !plausibleYear(t.UTC()):
		v.add(field, "is not between the years 1900 and 9999")
	case !t.Equal(t.Truncate(timePrecision)):
		v.add(field, "is not in whole milliseconds")
	}
}

// file checks the fact as a whole, including its unknown fields: it must round-trip.
func (v *validator) file(f Fact) {
	b := Marshal(f)
	if len(b) > MaxFile {
		v.add("fact", "takes %d bytes; at most %d fit", len(b), MaxFile)
		return
	}
	if back, err := Parse(b); err != nil {
		v.add("fact", "cannot be read back: %v", err)
	} else if !bytes.Equal(Marshal(back), b) {
		v.add("fact", "does not round-trip")
	}
}
