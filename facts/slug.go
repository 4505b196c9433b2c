package facts

import (
	"strings"
	"unicode"
)

// maxSlug keeps generated identifiers short enough to read in a list.
const maxSlug = 60

// Slug turns a text into a segment of a key: lower-case words joined by
// hyphens, accents dropped, cut between words to at most maxSlug bytes. A text
// with no Latin letter or digit gives "".
func Slug(text string) string {
	separator := func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }
	slug := ""
	for word := range strings.FieldsFuncSeq(fold(text), separator) {
		if slug == "" {
			slug = word[:min(len(word), maxSlug)]
		} else if len(slug)+1+len(word) > maxSlug {
			break
		} else {
			slug += "-" + word
		}
	}
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
	if checkSegment(category, false) != nil {
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

// fold lower-cases s and writes accented Latin letters, composed or followed by
// combining marks, without their accents.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r < 0x80 {
			return r
		}
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		for _, f := range folds {
			if strings.ContainsRune(f.accented, r) {
				return f.plain
			}
		}
		return r
	}, ligatures.Replace(s))
}

// ligatures are letters that are written as two.
var ligatures = strings.NewReplacer("ß", "ss", "ẞ", "ss", "æ", "ae", "Æ", "ae", "œ", "oe", "Œ", "oe", "þ", "th", "Þ", "th")

// folds covers the other letters of Latin-1 and Latin Extended-A.
var folds = [...]struct {
	plain    rune
	accented string
}{
	{'a', "àáâãäåāăą"}, {'c', "çćĉċč"}, {'d', "ďđð"}, {'e', "èéêëēĕėęě"}, {'g', "ĝğġģ"},
	{'h', "ĥħ"}, {'i', "ìíîïĩīĭįı"}, {'j', "ĵ"}, {'k', "ķĸ"}, {'l', "ĺļľŀł"}, {'n', "ñńņňŉŋ"},
	{'o', "òóôõöøōŏő"}, {'r', "ŕŗř"}, {'s', "śŝşšſ"}, {'t', "ţťŧ"}, {'u', "ùúûüũūŭůűų"},
	{'w', "ŵ"}, {'y', "ýÿŷ"}, {'z', "źżž"},
}
