package secret

import "strings"

// nearby says where around one of its keywords a rule may match. It spares most
// rules most of a text, and never changes what a rule finds: a test compares.
type nearby struct {
	kind nearKind
	tail int        // for nearTail: so many bytes follow the keyword
	set  *[256]bool // for nearTail: of these
	also []string   // for nearOption: one of them stands behind the keyword
}

// nearKind is 0 where the rule may match anywhere in the text.
type nearKind int

const (
	// nearTail: some bytes of a token follow the keyword.
	nearTail nearKind = iota + 1
	// nearValue: a name with the keyword, an operator and a value follow.
	nearValue
	// nearGeneric is nearValue for the generic rule.
	nearGeneric
	// nearOption: an option of a command follows.
	nearOption
	// nearManifest: a manifest's kind stands before the keyword.
	nearManifest
)

// operators is the part of a gitleaks rule between the name and the value.
const operators = `)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`

// operatorsOf is the same in rules that limit their flags to the name.
const operatorsOf = `)(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`

// nameOf returns the part of a rule for the name of a value, in lower case, or "".
func nameOf(r ruleText) string {
	name, _, ok := strings.Cut(r.Regex, operators)
	if !ok {
		name, _, ok = strings.Cut(r.Regex, operatorsOf)
	}
	if !ok {
		return ""
	}
	return strings.ToLower(name)
}

func nearbyOf(rule, name, keyword string) nearby {
	switch rule {
	case genericRule:
		return nearby{kind: nearGeneric}
	case "jwt":
		return nearby{kind: nearTail, tail: 17, set: &isLetterOrDigit}
	case "vault-service-token":
		if keyword == "s." {
			return nearby{kind: nearTail, tail: 24, set: &isLetterOrDigit}
		}
	case "twilio-api-key", "octopus-deploy-api-key", "lob-api-key":
		return nearby{kind: nearTail, tail: 26, set: &isLetterOrDigit}
	case "square-access-token", "sendgrid-api-token", "lob-pub-api-key", "gocardless-api-token":
		return nearby{kind: nearTail, tail: 20, set: &isToken}
	case "curl-auth-header":
		return nearby{kind: nearOption, also: []string{"-H", "--header"}}
	case "curl-auth-user":
		return nearby{kind: nearOption, also: []string{"-u", "--user"}}
	case "kubernetes-secret-yaml":
		return nearby{kind: nearManifest}
	}
	if strings.Contains(name, keyword) {
		return nearby{kind: nearValue}
	}
	return nearby{}
}

// part returns the part of a text in which the rule may match with the keyword
// text[start:end]; ok is false where it cannot.
func (n nearby) part(text string, start, end int) (p part, ok bool) {
	switch n.kind {
	case nearTail:
		return part{end: len(text)}, hasRun(text[end:], n.set, n.tail)
	case nearOption:
		return part{end: len(text)}, containsAny(text[end:], n.also...)
	case nearManifest:
		return part{end: len(text)}, isManifestKind(text[:start])
	case nearValue, nearGeneric:
		return valuePart(text, start, end, n.kind == nearGeneric)
	}
	return part{end: len(text)}, true
}

// hasRun reports whether a text begins with n bytes of a set.
func hasRun(text string, set *[256]bool, n int) bool {
	if len(text) < n {
		return false
	}
	for i := n - 1; i >= 0; i-- {
		if !set[text[i]] {
			return false
		}
	}
	return true
}

var isLetterOrDigit = byteSet("")

// isToken has what values are made of: \w . - = + / and, beyond those of the
// generic rule, what some vendors' have.
var isToken = byteSet("_.-=+/")

var isVendorToken = byteSet("_.-=+/:%|~")

func byteSet(others string) (set [256]bool) {
	for c := range set {
		set[c] = isAlnum(byte(c))
	}
	for i := range len(others) {
		set[others[i]] = true
	}
	return set
}

// Bounds of what a rule takes besides the value: the name before the keyword
// (twice in some rules), what may follow the keyword, operator and quotes.
const (
	maxBefore = 100
	maxName   = 60
	maxMiddle = 10
	maxValue  = 1024 // a longer one is not followed
)

// valuePart finds the operator behind a keyword and the end of the value behind
// it. The part has one more byte before and some behind, so that no expression
// sees an end where there is none.
func valuePart(text string, start, end int, generic bool) (p part, ok bool) {
	at, limit := end, min(len(text), end+maxName)
	for at < limit && isNameByte(text[at]) {
		at++
	}
	for n := 0; n < 3 && at < len(text) && (isSpace(text[at]) || text[at] == '\'' || text[at] == '"'); n++ {
		at++
	}
	if at+1 >= len(text) {
		return part{}, false
	}
	switch text[at] {
	case '=', '>', ':', ',':
	case '|':
		if text[at+1] != '|' {
			return part{}, false
		}
	case '?':
		if text[at+1] != '=' {
			return part{}, false
		}
	default:
		return part{}, false
	}
	set, least := &isVendorToken, 5
	if generic {
		set, least = &isToken, 10
	}
	// The value begins within reach of the operator.
	long, random, equals := false, false, 0
	stop := at
	for stop < min(len(text), at+maxMiddle) {
		run := stop
		for ; run < len(text) && set[text[run]]; run++ {
			switch c := text[run]; {
			case c == '=':
				equals++
			case '0' <= c && c <= '9', c == '+', c == '/':
				random = true
			}
			if run-stop == maxValue {
				return part{start: max(0, start-maxBefore-1), end: len(text)}, true
			}
		}
		long = long || run-stop >= least
		stop = max(run, stop+1)
	}
	if !long {
		return part{}, false
	}
	// The generic rule allows values of letters alone.
	if text[at] == '=' {
		equals--
	}
	idle := generic && !random && equals == 0
	return part{max(0, start-maxBefore-1), min(len(text), stop+8), idle}, true
}

func isNameByte(c byte) bool {
	return isAlnum(c) || c == ' ' || c == '\t' || c == '_' || c == '.' || c == '-'
}

// isManifestKind reports whether "kind:" stands before a word, with blanks and a
// quote between.
func isManifestKind(before string) bool {
	before = strings.TrimRight(before, `"'`)
	return hasSuffixLower(strings.TrimRight(before, " \t"), "kind:")
}

// foldsToASCII reports whether the text has one of the three characters that are
// ASCII letters once case does not matter: the Kelvin sign, İ and ſ.
func foldsToASCII(text string) bool {
	return strings.Contains(text, "\u212a") || strings.Contains(text, "\u0130") || strings.Contains(text, "\u017f")
}

var lowered = func() (to [256]byte) {
	for c := range to {
		to[c] = byte(c)
		if isUpper(byte(c)) {
			to[c] += 'a' - 'A'
		}
	}
	return to
}()

func hasPrefixLower(text, lower string) bool {
	if len(text) < len(lower) {
		return false
	}
	for i := range len(lower) {
		if lowered[text[i]] != lower[i] {
			return false
		}
	}
	return true
}

func hasSuffixLower(text, lower string) bool {
	return len(text) >= len(lower) && hasPrefixLower(text[len(text)-len(lower):], lower)
}
