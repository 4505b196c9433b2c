package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/internal/lazyregexp"
)

// Advice is a possible improvement of a valid fact.
type Advice struct {
	Field      string `json:"field"`
	Problem    string `json:"problem"`
	Suggestion string `json:"suggestion"`
}

// Lint says what would make a valid fact more useful to others.
func Lint(f Fact) []Advice {
	var advice []Advice
	add := func(field, problem, suggestion string) {
		advice = append(advice, Advice{field, problem, suggestion})
	}
	if words := len(strings.Fields(f.Claim)); words < 4 && utf8.RuneCountInString(f.Claim) < 20 {
		add("claim", fmt.Sprintf("says little in %d words", words), "name the service, the setting, the number or the reason")
	}
	if !f.Verified() {
		add("provenance", "names no evidence, so readers see it as unverified", "add a pointer such as repo:path#L12-L40@commit, or evidence")
	}
	if f.Scope == "" {
		add("scope", "is not stated, so a filter on a topic misses the fact", "add a topic path such as payments/webhooks")
	} else if f.Scope != strings.ToLower(f.Scope) {
		add("scope", "has upper case, which splits a topic in two", strings.ToLower(f.Scope))
	}
	for i, p := range f.Pointers {
		a, err := ParseRef(p.Ref)
		if err == nil && a.Commit == "" && a.InRepository() {
			problem := "names no commit, so nobody can tell whether its target changed"
			if p.Digest != "" { // of the work tree that the writer had
				problem = "names no commit, so nobody can see what it was of"
			}
			add(fmt.Sprintf("pointers[%d]", i), problem, "append @ and the commit: engram verify KEY --commit")
		}
	}
	unknown := slices.Concat(f.Unknown, f.Provenance.Unknown)
	for _, p := range f.Pointers {
		unknown = append(unknown, p.Unknown...)
	}
	if len(unknown) > 0 {
		names := make([]string, len(unknown))
		for i, u := range unknown {
			names[i] = u.Name
		}
		add("fact", "has fields this engram does not know: "+abridge(strings.Join(names, ", "), 100), "upgrade engram, or fix the spelling")
	}
	return advice
}

// titleForm is "Title: file", the extension of the file not counted.
var titleForm = lazyregexp.New(`(?s)^(.*?):\s+(.*?)(?:\.[A-Za-z]+)?$`)

// SuggestKey turns a text that is not a key into one that means the same, if
// possible. note says what a person still has to decide, above all the parts in angle
// brackets; it is "" if nothing is open, and then the suggestion is a key of a
// namespace in m.
//
//  1. A known namespace and segments in bad characters or case: each becomes a
//     slug, and what is more than a key holds joins the last.
//  2. A known namespace with other separators: its first three words.
//  3. A known namespace and too few of either: the identifier is missing.
//  4. Segments in an unknown namespace: the namespace has to be chosen.
//  5. Free text, "Title: file": architecture/file/title.
func (m Manifest) SuggestKey(text string) (suggestion, note string) {
	known := func(s string) bool { return slices.Contains(m.AllNamespaces(), strings.ToLower(s)) }
	segments := strings.FieldsFunc(text, func(r rune) bool { return r == '/' })
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ':' || r == '/' || unicode.IsSpace(r) })
	switch {
	case len(segments) > 1 && known(segments[0]):
		suggestion = joinSlugs(segments)
	case len(words) > 0 && known(words[0]):
		suggestion = joinSlugs(words[:min(len(words), 3)])
	case len(segments) > 2:
		segments[0] = ""
		return "<namespace>" + strings.TrimPrefix(joinSlugs(segments), missing),
			"a namespace has to be chosen: " + strings.Join(m.AllNamespaces(), ", ")
	default:
		title, file := text, "general"
		if parts := titleForm.FindStringSubmatch(text); parts != nil {
			title, file = parts[1], parts[2]
		}
		return joinSlugs([]string{"architecture", file, title}), "the namespace is a guess"
	}
	if strings.Contains(suggestion, missing) {
		note = "an identifier has to be chosen"
	}
	return suggestion, note
}

const missing = "<id>" // a segment that a person has to choose

// joinSlugs makes every segment canonical, keeping the case of identifiers
// where the namespace allows it. It gives three or four segments.
func joinSlugs(segments []string) string {
	if len(segments) > 4 {
		segments = append(slices.Clone(segments[:3]), strings.Join(segments[3:], "-"))
	}
	out := make([]string, max(3, len(segments)))
	for i := range out {
		out[i] = missing
		if i < len(segments) {
			mixedCase := i >= 2 && (out[0] == "paper" || out[0] == "finding")
			out[i] = cmp.Or(canonicalSegment(segments[i], mixedCase), missing)
		}
	}
	return strings.Join(out, "/")
}

func canonicalSegment(s string, mixedCase bool) string {
	for _, s := range []string{s, strings.ToLower(s)} {
		if checkSegment(s, mixedCase) == nil {
			return s
		}
	}
	return Slug(s)
}
