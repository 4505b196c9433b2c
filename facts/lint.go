package facts

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Advice is something that could be better without being wrong.
type Advice struct {
	Field      string `json:"field"`
	Problem    string `json:"problem"`
	Suggestion string `json:"suggestion"`
}

// Lint says what would make a valid fact more useful to others: what seed 4's
// tool description asks of a claim and seed 1 §8 warns of.
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
		if err == nil && a.Commit == "" && (a.Type == PointRepo || a.Type == PointArtifact || a.Type == PointTest) {
			add(fmt.Sprintf("pointers[%d]", i), "names no commit, so nobody can tell whether its target changed", "append @ and the commit")
		}
	}
	if len(f.Unknown) > 0 {
		names := make([]string, len(f.Unknown))
		for i, u := range f.Unknown {
			names[i] = u.Name
		}
		add("fact", "has fields this engram does not know: "+abridge(strings.Join(names, ", "), 100), "upgrade engram, or mend the spelling")
	}
	return advice
}

var (
	keySeparators = regexp.MustCompile(`[:/\s]+`)
	titleSplit    = regexp.MustCompile(`:\s+`)
)

// SuggestKey turns a text that is not a key into one that means the same, in
// the way seed 3's table of anti-patterns does. note says what a person still
// has to decide; it is "" where nothing is left open.
//
//  1. Segments in bad characters or case: each becomes a slug.
//  2. Two segments: the identifier is missing.
//  3. A known namespace with other separators: its first three words.
//  4. Three segments in an unknown namespace: the namespace has to be chosen.
//  5. Free text, "Title: file": architecture/file/title.
func (m Manifest) SuggestKey(text string) (suggestion, note string) {
	known := func(s string) bool { return slices.Contains(m.AllNamespaces(), s) }
	bySlash := strings.Split(strings.Trim(text, "/"), "/")
	first := strings.ToLower(keySeparators.Split(strings.TrimSpace(text), 2)[0])
	switch {
	case len(bySlash) >= 3 && known(strings.ToLower(bySlash[0])):
		return joinSlugs(bySlash[:min(len(bySlash), 4)]), ""
	case len(bySlash) == 2 && known(strings.ToLower(bySlash[0])):
		return joinSlugs(bySlash) + "/<id>", "an identifier has to be chosen"
	case len(bySlash) >= 3:
		return "<namespace>/" + joinSlugs(bySlash[1:min(len(bySlash), 4)]),
			"a namespace has to be chosen: " + strings.Join(m.AllNamespaces(), ", ")
	case known(first):
		words := keySeparators.Split(strings.TrimSpace(text), -1)
		if len(words) < 3 {
			return joinSlugs(words) + "/<id>", "an identifier has to be chosen"
		}
		return joinSlugs(words[:3]), ""
	}
	title, file := text, "general"
	if parts := titleSplit.Split(text, 2); len(parts) == 2 {
		title, file = parts[0], strings.TrimSuffix(parts[1], path.Ext(parts[1]))
	}
	return joinSlugs([]string{"architecture", file, title}), "the namespace is a guess"
}

// joinSlugs makes every segment canonical, keeping the case of identifiers
// where the namespace allows it.
func joinSlugs(segments []string) string {
	out := make([]string, len(segments))
	for i, s := range segments {
		mixedCase := i >= 2 && (out[0] == "paper" || out[0] == "finding")
		switch {
		case checkSegment(s, mixedCase) == nil:
			out[i] = s
		case checkSegment(strings.ToLower(s), mixedCase) == nil:
			out[i] = strings.ToLower(s)
		default:
			out[i] = Slug(s)
		}
		if out[i] == "" {
			out[i] = "<id>"
		}
	}
	return strings.Join(out, "/")
}
