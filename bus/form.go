package bus

import (
	"fmt"
	"strings"

	"engram/facts"
)

// Bounds of texts in characters, besides claims, and of lists in items. The bus document
// does not bound all of them; they are here so that everything in a message is bounded.
const (
	maxRole     = facts.MaxName
	maxReason   = facts.MaxClaim
	maxOutput   = 4000 // far above what the token budget permits
	maxToken    = 4096
	maxHashKey  = 80
	maxPack     = 24
	maxItems    = 12
	maxHashKeys = 32 // the bus document §4.1
)

// The functions below describe a message once: its fields, in the order of the canonical
// form, and their values. Reading, writing, checking and shortening follow them.

func (m Message) fields() []field {
	switch m.Form {
	case FromChild:
		return m.Child.fields()
	case FromParent:
		return m.Parent.fields()
	}
	return nil
}

func (m *ChildMessage) fields() []field {
	return []field{
		{"ROLE", true, text{s: &m.Role, most: maxRole}},
		{"TASK_STATUS", true, text{s: &m.TaskStatus, most: maxRole}},
		{"ENGRAMS", true, listOf(&m.Engrams, 0, (*Engram).value)},
		{"POINTER_PACK", false, listOf(&m.PointerPack, maxPack, (*Pointer).value)},
		{"DEREF_REQUESTS", false, listOf(&m.DerefRequests, maxItems, (*DerefRequest).value)},
		{"OUTPUT", true, mapping{fields: func() []field {
			return []field{
				{"summary", true, text{s: &m.Output.Summary, most: maxOutput}},
				{"next", false, text{s: &m.Output.Next, most: maxOutput}},
			}
		}}},
	}
}

func (m *ParentMessage) fields() []field {
	b := &m.Budgets
	return []field{
		{"ROLE", true, text{s: &m.Role, most: maxRole}},
		{"SHARED_BRIEF_MICRO", true, listOf(&m.SharedBriefMicro, MaxBriefLines, textOf(maxReason))},
		{"BUDGETS", true, mapping{flow: true, fields: func() []field {
			return []field{
				{"max_engrams", false, count{&b.MaxEngrams}},
				{"max_repo_spans", false, count{&b.MaxRepoSpans}},
				{"max_artifact_sections", false, count{&b.MaxArtifactSections}},
				{"max_sam_items", false, count{&b.MaxSAMItems}},
				{"max_inline_tokens", false, count{&b.MaxInlineTokens}},
				{"max_deref_tokens", false, count{&b.MaxDerefTokens}},
			}
		}}},
		{"GRANTS", false, listOf(&m.Grants, maxItems, (*MessageGrant).value)},
		{"TARGET_POINTER_PACK", false, listOf(&m.TargetPointerPack, maxPack, (*Pointer).value)},
		{"INSTRUCTIONS", false, listOf(&m.Instructions, maxItems, textOf(maxReason))},
	}
}

func (e *Engram) value() value {
	tags, keys := listOf(&e.Tags, facts.MaxTags, textOf(facts.MaxTag)), listOf(&e.HashKeys, maxHashKeys, textOf(maxHashKey))
	tags.flow, keys.flow = true, true
	provenance := mapping{flow: true, absent: e.Provenance == nil, fields: func() []field {
		if e.Provenance == nil {
			e.Provenance = &Provenance{}
		}
		return []field{
			{"created_at", true, moment{&e.Provenance.CreatedAt}},
			{"created_by", true, text{s: &e.Provenance.CreatedBy, most: maxRole, quoted: true}},
			{"source", true, text{s: &e.Provenance.Source}},
		}
	}}
	return mapping{fields: func() []field {
		return []field{
			{"kind", true, text{s: &e.Kind}},
			{"id", false, text{s: &e.ID, most: maxRole}},
			{"claim", true, text{s: &e.Claim, most: facts.MaxClaim}},
			{"confidence", true, number{&e.Confidence}},
			{"ttl", true, text{s: &e.TTL}},
			{"scope", true, text{s: &e.Scope}},
			{"pointers", true, listOf(&e.Pointers, facts.MaxPointers, (*Pointer).value)},
			{"tags", false, tags},
			{"hash_keys", false, keys},
			{"embedding_ref", false, text{s: &e.EmbeddingRef, most: facts.MaxRef}},
			{"provenance", false, provenance},
		}
	}}
}

func (p *Pointer) value() value {
	return mapping{flow: true, pointer: p, fields: func() []field {
		return []field{
			{"type", true, text{s: &p.Type}},
			{"ref", true, text{s: &p.Ref, quoted: true}},
			{"digest", false, text{s: &p.Digest, quoted: true}},
			{"span", false, text{s: &p.Span}},
		}
	}}
}

func (d *DerefRequest) value() value {
	return mapping{fields: func() []field {
		return []field{{"pointer", true, d.Pointer.value()}, {"reason", true, text{s: &d.Reason, most: maxReason}}}
	}}
}

func (g *MessageGrant) value() value {
	return mapping{flow: true, fields: func() []field {
		return []field{
			{"budget_token", true, text{s: &g.BudgetToken, most: maxToken, quoted: true}},
			{"pointer", true, g.Pointer.value()},
			{"cap_tokens", true, count{&g.CapTokens}},
		}
	}}
}

// walk calls visit for every value of a message, in order. required is true for required
// fields and for the items of lists.
func (m Message) walk(visit func(path string, v value, required bool)) {
	for _, f := range m.fields() {
		walk(f.name, f.value, f.required, visit)
	}
}

func walk(path string, v value, required bool, visit func(path string, v value, required bool)) {
	visit(path, v, required)
	switch v := v.(type) {
	case mapping:
		if v.absent {
			return
		}
		for _, f := range v.fields() {
			walk(inside(path, f.name), f.value, f.required, visit)
		}
	case list:
		for i := range v.length() {
			walk(item(path, i), v.at(i), true, visit)
		}
	}
}

func inside(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func item(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// messageText is a text of a message, written by its author, and its path.
type messageText struct {
	path     string
	value    *string
	most     int // characters
	required bool
}

// texts lists the texts of a message, in order.
func (m Message) texts() []messageText {
	var all []messageText
	m.walk(func(path string, v value, required bool) {
		if t, ok := v.(text); ok && t.most > 0 {
			all = append(all, messageText{path, t.s, t.most, required && t.most != maxToken})
		}
	})
	return all
}

// messagePointer is a pointer of a message and its path.
type messagePointer struct {
	path string
	*Pointer
}

// pointers lists the pointers of a message, in order.
func (m Message) pointers() []messagePointer {
	var all []messagePointer
	m.walk(func(path string, v value, _ bool) {
		if p, ok := v.(mapping); ok && p.pointer != nil {
			all = append(all, messagePointer{path, p.pointer})
		}
	})
	return all
}

// Text is a text of a message and its path.
type Text struct {
	Path  string // such as OUTPUT.summary
	Value string
}

// Texts lists the texts and references of a message, without the tokens of grants. If
// text is not a message, Texts returns text itself.
func Texts(text []byte) []Text {
	m, _ := read(text)
	if m.Form == "" {
		return []Text{{"the message", string(text)}}
	}
	var all []Text
	for _, t := range m.texts() {
		if t.most != maxToken {
			all = append(all, Text{t.path, *t.value})
		}
	}
	for _, p := range m.pointers() {
		all = append(all, Text{p.path + ".ref", p.Ref}, Text{p.path + ".span", p.Span})
	}
	return append(all, Text{commentsPath, m.comments})
}
