package bus

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/facts"
	"engram/internal/lazyregexp"
)

// text checks one text.
func (c *checker) text(t messageText) {
	if t.required && *t.value != "" && strings.TrimSpace(*t.value) == "" {
		c.invalid(t.path, "is empty")
	}
	for _, r := range *t.value {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			c.invalid(t.path, "has the control character %U", r)
			break
		}
	}
	code, most, claim := Invalid, c.mostOf(t), t.isClaim()
	if claim {
		code = BudgetExceeded
	}
	n := utf8.RuneCountInString(*t.value)
	if n <= most {
		return
	}
	r := Refusal{Code: code, Path: t.path, Limit: most, Amount: n, Resend: c.instead(t),
		Reason: fmt.Sprintf("%s has %d characters; at most %d fit", t.path, n, most)}
	if claim {
		r.Name = NameClaim
	}
	c.refuse(r)
}

func (t messageText) isClaim() bool { return strings.HasSuffix(t.path, "].claim") }

// mostOf returns how many characters a text may have.
func (c *checker) mostOf(t messageText) int {
	if t.isClaim() {
		return c.limits.Inline.ClaimChars
	}
	return t.most
}

// instead returns a replacement of a text that is too long, which complies by itself; "" if
// it would say nothing.
func (c *checker) instead(t messageText) string {
	text := *t.value
	if _, n := Code(text); n > c.limits.Inline.CodeChars+c.allow.CodeChars {
		text = withoutCode(text)
	}
	text = shortened(text, c.mostOf(t))
	if _, n := Code(text); n > c.limits.Inline.CodeChars+c.allow.CodeChars || facts.Tokens(text) > c.limits.Inline.Tokens || t.isClaim() && text == codeNote {
		return ""
	}
	return text
}

// engrams checks the rules for engrams.
func (c *checker) engrams(engrams []Engram) {
	if most := c.limits.Inline.Engrams; len(engrams) > most {
		c.refuse(Refusal{Code: BudgetExceeded, Path: "ENGRAMS", Name: NameEngrams, Limit: most, Amount: len(engrams),
			Reason: fmt.Sprintf("there are %d engrams; at most %d fit: keep those of the highest confidence, %s", len(engrams), most, indexes("ENGRAMS", surest(engrams, most)))})
	}
	for i, e := range engrams {
		path := fmt.Sprintf("ENGRAMS[%d].", i)
		oneOf(c, path+"kind", e.Kind, facts.Kinds())
		oneOf(c, path+"scope", e.Scope, facts.Reaches())
		if _, err := facts.ParseTTL(e.TTL); err != nil && e.TTL != "" {
			c.invalid(path+"ttl", "is not valid: %v", err)
		}
		if e.Confidence != nil && !(*e.Confidence >= 0 && *e.Confidence <= 1) {
			c.invalid(path+"confidence", "is %s, which is not between 0 and 1", strconv.FormatFloat(*e.Confidence, 'g', -1, 64))
		}
		if e.Pointers != nil && len(e.Pointers) == 0 {
			c.invalid(path+"pointers", "is empty: a claim must point at its evidence, such as { type: repo, ref: \"repo:PATH#LFIRST-LLAST@COMMIT\" }")
		}
		if e.Provenance != nil {
			oneOf(c, path+"provenance.source", e.Provenance.Source, facts.Sources())
		}
	}
}

// oneOf rejects a value that is not one of those allowed. A missing value was rejected
// before.
func oneOf[T ~string](c *checker, path, value string, allowed []T) {
	if value == "" || slices.Contains(allowed, T(value)) {
		return
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	c.invalid(path, "is %q, which is not one of %s", abridged(value), strings.Join(names, ", "))
}

// surest returns the indexes of the n engrams of the highest confidence, in the order of
// the message; of equals, the first.
func surest(engrams []Engram, n int) []int {
	order := make([]int, len(engrams))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(confidence(engrams[b]), confidence(engrams[a])) })
	order = order[:min(n, len(order))]
	slices.Sort(order)
	return order
}

func confidence(e Engram) float64 {
	if e.Confidence == nil {
		return 0
	}
	return *e.Confidence
}

func indexes(name string, at []int) string {
	texts := make([]string, len(at))
	for i, n := range at {
		texts[i] = fmt.Sprintf("%s[%d]", name, n)
	}
	return strings.Join(texts, ", ")
}

// lineSpan matches a span that repeats the lines of its reference.
var lineSpan = lazyregexp.New(`^#?L([1-9][0-9]{0,8})(?:-L?([1-9][0-9]{0,8}))?$`)

// spanAgrees reports whether a span says the same as its reference.
func spanAgrees(span string, a facts.Address) bool {
	if m := lineSpan.FindStringSubmatch(span); m != nil && a.FirstLine > 0 {
		first, last := m[1], cmp.Or(m[2], m[1])
		return first == strconv.Itoa(a.FirstLine) && last == strconv.Itoa(a.LastLine)
	}
	return a.Name != "" && strings.TrimPrefix(strings.TrimPrefix(span, "#"), "sec=") == a.Name
}
