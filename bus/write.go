package bus

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// YAML is the message in canonical form: fields in the order of the form, one way to
// write each value, a pointer on one line. Read reads it back as the same.
func (m ChildMessage) YAML() string {
	w := writer{}
	w.field("", "ROLE", m.Role)
	w.field("", "TASK_STATUS", m.TaskStatus)
	w.open("ENGRAMS", len(m.Engrams))
	for _, e := range m.Engrams {
		w.engram(e)
	}
	w.pointers("", "POINTER_PACK", m.PointerPack)
	w.requests(m.DerefRequests)
	w.line("OUTPUT:")
	w.field("  ", "summary", m.Output.Summary)
	w.optional("  ", "next", m.Output.Next)
	return w.String()
}

// YAML is the message in canonical form, as that of ChildMessage.
func (m ParentMessage) YAML() string {
	w := writer{}
	w.field("", "ROLE", m.Role)
	w.texts("", "SHARED_BRIEF_MICRO", m.SharedBriefMicro, true)
	w.line("BUDGETS: " + m.Budgets.flow())
	if len(m.Grants) > 0 {
		w.open("GRANTS", len(m.Grants))
	}
	for _, g := range m.Grants {
		w.line("  - { budget_token: " + quoted(g.BudgetToken) + ", pointer: " + g.Pointer.flow() + ", cap_tokens: " + strconv.Itoa(g.CapTokens) + " }")
	}
	w.pointers("", "TARGET_POINTER_PACK", m.TargetPointerPack)
	w.texts("", "INSTRUCTIONS", m.Instructions, false)
	return w.String()
}

// YAML is the message of its form.
func (m Message) YAML() string {
	switch m.Form {
	case FromChild:
		return m.Child.YAML()
	case FromParent:
		return m.Parent.YAML()
	}
	return ""
}

type writer struct{ strings.Builder }

func (w *writer) line(text string) {
	w.WriteString(text)
	w.WriteByte('\n')
}

// open begins a list, which is on the same line where it is empty.
func (w *writer) open(name string, n int) {
	if n == 0 {
		w.line(name + ": []")
		return
	}
	w.line(name + ":")
}

func (w *writer) field(indent, name, value string) { w.line(indent + name + ": " + scalar(value)) }

func (w *writer) optional(indent, name, value string) {
	if value != "" {
		w.field(indent, name, value)
	}
}

func (w *writer) engram(e Engram) {
	const indent = "    "
	w.line("  - kind: " + scalar(e.Kind))
	w.optional(indent, "id", e.ID)
	w.field(indent, "claim", e.Claim)
	if e.Confidence != nil {
		w.line(indent + "confidence: " + strconv.FormatFloat(*e.Confidence, 'f', -1, 64))
	}
	w.field(indent, "ttl", e.TTL)
	w.field(indent, "scope", e.Scope)
	w.pointers(indent, "pointers", e.Pointers)
	if len(e.Pointers) == 0 {
		w.line(indent + "pointers: []")
	}
	w.flowTexts(indent, "tags", e.Tags)
	w.flowTexts(indent, "hash_keys", e.HashKeys)
	w.optional(indent, "embedding_ref", e.EmbeddingRef)
	if p := e.Provenance; p != nil {
		w.line(indent + "provenance: { created_at: " + quoted(p.CreatedAt.UTC().Format(time.RFC3339Nano)) +
			", created_by: " + quoted(p.CreatedBy) + ", source: " + inFlow(p.Source) + " }")
	}
}

func (w *writer) pointers(indent, name string, pointers []Pointer) {
	if len(pointers) == 0 {
		return
	}
	w.line(indent + name + ":")
	for _, p := range pointers {
		w.line(indent + "  - " + p.flow())
	}
}

func (w *writer) requests(requests []DerefRequest) {
	if len(requests) == 0 {
		return
	}
	w.line("DEREF_REQUESTS:")
	for _, d := range requests {
		w.line("  - pointer: " + d.Pointer.flow())
		w.field("    ", "reason", d.Reason)
	}
}

func (w *writer) texts(indent, name string, texts []string, always bool) {
	if len(texts) == 0 && !always {
		return
	}
	w.open(indent+name, len(texts))
	for _, text := range texts {
		w.line(indent + "  - " + scalar(text))
	}
}

func (w *writer) flowTexts(indent, name string, texts []string) {
	if len(texts) == 0 {
		return
	}
	items := make([]string, len(texts))
	for i, text := range texts {
		items[i] = inFlow(text)
	}
	w.line(indent + name + ": [" + strings.Join(items, ", ") + "]")
}

func (p Pointer) flow() string {
	text := "{ type: " + inFlow(p.Type) + ", ref: " + quoted(p.Ref)
	if p.Digest != "" {
		text += ", digest: " + quoted(p.Digest)
	}
	if p.Span != "" {
		text += ", span: " + inFlow(p.Span)
	}
	return text + " }"
}

func (b Budgets) flow() string {
	var parts []string
	for _, f := range []struct {
		name  string
		value int
	}{
		{"max_engrams", b.MaxEngrams}, {"max_repo_spans", b.MaxRepoSpans}, {"max_artifact_sections", b.MaxArtifactSections},
		{"max_sam_items", b.MaxSAMItems}, {"max_inline_tokens", b.MaxInlineTokens}, {"max_deref_tokens", b.MaxDerefTokens},
	} {
		if f.value != 0 {
			parts = append(parts, f.name+": "+strconv.Itoa(f.value))
		}
	}
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// quoted writes a text in double quotes. What Go escapes, and how, YAML reads the same.
func quoted(s string) string { return strconv.Quote(s) }

// inFlow writes a word as it is and anything else in quotes.
func inFlow(s string) string {
	if scalar(s) == s && strings.IndexFunc(s, func(r rune) bool { return !wordRune(r) }) < 0 {
		return s
	}
	return quoted(s)
}

func wordRune(r rune) bool {
	return r == '-' || r == '_' || r == '.' || r == '/' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// scalar writes a text without quotes where every YAML reader takes it for the same
// text: it begins with a letter, is one line, and neither looks like a field nor has a
// comment.
func scalar(s string) string {
	if s == "" || !unicode.IsLetter(rune(s[0])) || s[0] > unicode.MaxASCII || strings.HasSuffix(s, " ") || strings.HasSuffix(s, ":") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) || r == '\ufffd' }) >= 0 {
		return quoted(s)
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return quoted(s)
	}
	return s
}
