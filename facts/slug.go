package facts

import (
	"strings"
	"unicode"
)

// maxSlug keeps generated identifiers short enough to read in a list.
const maxSlug = 60

// Slug turns a text into a segment of a key: lower-case words joined by
// hyphens, accents dropped, cut at a word near maxSlug bytes. A text with no
// Latin letter or digit gives "".
func Slug(text string) string {
	var words []string
	length := 0
	for _, word := range strings.FieldsFunc(fold(text), func(r rune) bool { return r > 0x7f || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if length > 0 && length+1+len(word) > maxSlug {
			break
		}
		words = append(words, word[:min(len(word), maxSlug)])
		length += 1 + len(word)
	}
	slug := strings.Join(words, "-")
	if slug != "" && checkStorable(slug) != nil {
		slug += "-x" // con, nul, com1 and the like
	}
	return slug
}

// ScopeCategory is the category that a scope gives to a generated key:
// payments/webhooks becomes payments.webhooks. No scope gives "general".
func ScopeCategory(scope string) string {
	category := strings.ToLower(strings.ReplaceAll(scope, "/", "."))
	if len(category) > MaxSegment {
		category = strings.TrimRight(category[:MaxSegment], "._-")
	}
	if category == "" || checkSegment(category, false) != nil {
		return "general"
	}
	return category
}

// KindNamespace is the namespace that a kind gives to a generated key.
func KindNamespace(k Kind) string {
	switch k {
	case KindDecision, KindConstraint, KindPolicy:
		return "architecture"
	case KindRisk:
		return "risk"
	case KindPerf:
		return "calibration"
	case KindTest, KindDiff:
		return "finding"
	case KindTodo:
		return "sdd"
	default:
		return "domain"
	}
}

// fold lower-cases s and writes accented Latin letters without their accents.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		for _, f := range folds {
			if strings.ContainsRune(f.accented, r) {
				return f.plain
			}
		}
		return r
	}, s)
}

// folds covers the accented letters of Latin-1 and Latin Extended-A.
var folds = [...]struct {
	plain    rune
	accented string
}{
	{'a', "àáâãäåāăąæ"}, {'c', "çćĉċč"}, {'d', "ďđð"}, {'e', "èéêëēĕėęě"}, {'g', "ĝğġģ"},
	{'h', "ĥħ"}, {'i', "ìíîïĩīĭįı"}, {'j', "ĵ"}, {'k', "ķ"}, {'l', "ĺļľŀł"}, {'n', "ñńņňŉ"},
	{'o', "òóôõöøōŏőœ"}, {'r', "ŕŗř"}, {'s', "śŝşšß"}, {'t', "ţťŧþ"}, {'u', "ùúûüũūŭůűų"},
	{'w', "ŵ"}, {'y', "ýÿŷ"}, {'z', "źżž"},
}
