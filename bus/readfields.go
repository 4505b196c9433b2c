package bus

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// reader reads the parts of a message and gathers what is wrong with them.
type reader struct{ problems []Problem }

func (r *reader) add(n *yaml.Node, path, format string, args ...any) {
	r.problems = append(r.problems, Problem{Line: n.Line, Path: path, Text: fmt.Sprintf(format, args...)})
}

// field is one that a mapping may have.
type field struct {
	name     string
	required bool
	read     func(v *yaml.Node, path string)
}

func (r *reader) child(root *yaml.Node, m *ChildMessage) {
	r.mapping(root, "", []field{
		{"ROLE", true, r.stated(&m.Role)},
		{"TASK_STATUS", true, r.stated(&m.TaskStatus)},
		{"ENGRAMS", true, func(v *yaml.Node, path string) { m.Engrams = list(r, v, path, r.engram) }},
		{"POINTER_PACK", false, func(v *yaml.Node, path string) { m.PointerPack = list(r, v, path, r.pointer) }},
		{"DEREF_REQUESTS", false, func(v *yaml.Node, path string) { m.DerefRequests = list(r, v, path, r.request) }},
		{"OUTPUT", true, func(v *yaml.Node, path string) {
			r.mapping(v, path, []field{{"summary", true, r.stated(&m.Output.Summary)}, {"next", false, r.text(&m.Output.Next)}})
		}},
	})
}

func (r *reader) parent(root *yaml.Node, m *ParentMessage) {
	r.mapping(root, "", []field{
		{"ROLE", true, r.stated(&m.Role)},
		{"SHARED_BRIEF_MICRO", true, func(v *yaml.Node, path string) { m.SharedBriefMicro = list(r, v, path, r.line) }},
		{"BUDGETS", true, func(v *yaml.Node, path string) { r.budgets(v, path, &m.Budgets) }},
		{"GRANTS", false, func(v *yaml.Node, path string) { m.Grants = list(r, v, path, r.grant) }},
		{"TARGET_POINTER_PACK", false, func(v *yaml.Node, path string) { m.TargetPointerPack = list(r, v, path, r.pointer) }},
		{"INSTRUCTIONS", false, func(v *yaml.Node, path string) { m.Instructions = list(r, v, path, r.line) }},
	})
}

func (r *reader) engram(v *yaml.Node, path string, e *Engram) {
	r.mapping(v, path, []field{
		{"id", false, r.text(&e.ID)},
		{"kind", true, r.stated(&e.Kind)},
		{"claim", true, r.stated(&e.Claim)},
		{"pointers", true, func(v *yaml.Node, path string) { e.Pointers = list(r, v, path, r.pointer) }},
		{"confidence", true, r.number(&e.Confidence)},
		{"ttl", true, r.stated(&e.TTL)},
		{"scope", true, r.stated(&e.Scope)},
		{"tags", false, func(v *yaml.Node, path string) { e.Tags = list(r, v, path, r.line) }},
		{"hash_keys", false, func(v *yaml.Node, path string) { e.HashKeys = list(r, v, path, r.line) }},
		{"embedding_ref", false, r.text(&e.EmbeddingRef)},
		{"provenance", false, func(v *yaml.Node, path string) {
			e.Provenance = &Provenance{}
			r.mapping(v, path, []field{
				{"created_at", true, r.moment(&e.Provenance.CreatedAt)},
				{"created_by", true, r.stated(&e.Provenance.CreatedBy)},
				{"source", true, r.stated(&e.Provenance.Source)},
			})
		}},
	})
}

func (r *reader) pointer(v *yaml.Node, path string, p *Pointer) {
	r.mapping(v, path, []field{
		{"type", true, r.stated(&p.Type)},
		{"ref", true, r.stated(&p.Ref)},
		{"digest", false, r.text(&p.Digest)},
		{"span", false, r.text(&p.Span)},
	})
}

func (r *reader) request(v *yaml.Node, path string, d *DerefRequest) {
	r.mapping(v, path, []field{
		{"pointer", true, func(v *yaml.Node, path string) { r.pointer(v, path, &d.Pointer) }},
		{"reason", true, r.stated(&d.Reason)},
	})
}

func (r *reader) grant(v *yaml.Node, path string, g *MessageGrant) {
	r.mapping(v, path, []field{
		{"budget_token", true, r.stated(&g.BudgetToken)},
		{"pointer", true, func(v *yaml.Node, path string) { r.pointer(v, path, &g.Pointer) }},
		{"cap_tokens", true, r.count(&g.CapTokens)},
	})
}

func (r *reader) budgets(v *yaml.Node, path string, b *Budgets) {
	r.mapping(v, path, []field{
		{"max_engrams", false, r.count(&b.MaxEngrams)},
		{"max_repo_spans", false, r.count(&b.MaxRepoSpans)},
		{"max_artifact_sections", false, r.count(&b.MaxArtifactSections)},
		{"max_sam_items", false, r.count(&b.MaxSAMItems)},
		{"max_inline_tokens", false, r.count(&b.MaxInlineTokens)},
		{"max_deref_tokens", false, r.count(&b.MaxDerefTokens)},
	})
}

// mapping reads the fields of a mapping in the order in which they stand. A field
// whose value is null counts as one that is not there.
func (r *reader) mapping(n *yaml.Node, path string, known []field) {
	if n.Kind != yaml.MappingNode {
		r.add(n, path, "is %s; a mapping of fields to values is expected", whatIs(n))
		return
	}
	seen := make(map[string]bool, len(known))
	for i := 0; i < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		at := slices.IndexFunc(known, func(f field) bool { return f.name == name.Value })
		switch {
		case name.Kind != yaml.ScalarNode || at < 0:
			r.add(name, inside(path, abridged(name.Value)), "is not a known field; the fields are %s", namesOf(known))
			r.problems[len(r.problems)-1].surplus = true
		case seen[name.Value]:
			r.add(name, inside(path, name.Value), "is given twice")
		case !isNull(value):
			known[at].read(value, inside(path, name.Value))
			fallthrough
		default:
			seen[name.Value] = !isNull(value)
		}
	}
	for _, f := range known {
		if f.required && !seen[f.name] {
			r.add(n, inside(path, f.name), "is missing")
		}
	}
}

func inside(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func namesOf(known []field) string {
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

func abridged(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// whatIs names the kind of a value.
func whatIs(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	case "!!null":
		return "nothing"
	}
	return "a string"
}

// list reads the items of a list, which is not nil where it is there.
func list[T any](r *reader, n *yaml.Node, path string, item func(v *yaml.Node, path string, t *T)) []T {
	if n.Kind != yaml.SequenceNode {
		r.add(n, path, "is %s; a list is expected", whatIs(n))
		return nil
	}
	items := make([]T, len(n.Content))
	for i, v := range n.Content {
		item(v, fmt.Sprintf("%s[%d]", path, i), &items[i])
	}
	return items
}

// line reads a text in a list.
func (r *reader) line(v *yaml.Node, path string, s *string) { r.stated(s)(v, path) }

// stated reads a text that has to say something.
func (r *reader) stated(s *string) func(v *yaml.Node, path string) {
	return func(v *yaml.Node, path string) {
		n := len(r.problems)
		if r.text(s)(v, path); *s == "" && len(r.problems) == n {
			r.add(v, path, "is empty")
		}
	}
}

// text reads a text. A bare date is one; a bare number is none, as in JSON.
func (r *reader) text(s *string) func(v *yaml.Node, path string) {
	return func(v *yaml.Node, path string) {
		if tag := v.ShortTag(); v.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!timestamp" && tag != "!!merge" {
			r.add(v, path, "is %s; a string is expected%s", whatIs(v), quoteHint(v))
			return
		}
		*s = v.Value
	}
}

func quoteHint(v *yaml.Node) string {
	if v.Kind == yaml.ScalarNode && !isNull(v) {
		return ": put it in quotes"
	}
	return ""
}

func (r *reader) number(f **float64) func(v *yaml.Node, path string) {
	return func(v *yaml.Node, path string) {
		n, err := strconv.ParseFloat(v.Value, 64)
		if whatIs(v) != "a number" || err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			r.add(v, path, "is %s; a number is expected", whatIs(v))
			return
		}
		*f = &n
	}
}

// maxCount bounds whole numbers in messages.
const maxCount = 1_000_000

func (r *reader) count(field *int) func(v *yaml.Node, path string) {
	return func(v *yaml.Node, path string) {
		n, err := strconv.ParseFloat(v.Value, 64)
		if whatIs(v) != "a number" || err != nil || n != math.Trunc(n) || n < 0 || n > maxCount {
			r.add(v, path, "is %s; a whole number from 0 to %d is expected", abridged(v.Value), maxCount)
			return
		}
		*field = int(n)
	}
}

func (r *reader) moment(field *time.Time) func(v *yaml.Node, path string) {
	return func(v *yaml.Node, path string) {
		t, err := time.Parse(time.RFC3339Nano, v.Value)
		if v.Kind != yaml.ScalarNode || err != nil || t.UTC().Year() < 1900 || t.UTC().Year() > 9999 {
			r.add(v, path, "is not a time such as 2026-04-30T12:00:00Z")
			return
		}
		*field = t.UTC()
	}
}
