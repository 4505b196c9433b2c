package bus

import (
	"fmt"
	"slices"
	"strings"

	"engram/facts"
)

// Check reports whether a text is a valid message within its budgets. It is deterministic.
// The verdict lists all problems: exceeded limits first, then errors of form.
//
// The cost of a message is counted on its canonical form, so that YAML and JSON, any
// indentation and any quotes cost the same. Comments, which the canonical form lacks, are
// added. A text that is not a message is counted as it is.
func Check(text []byte, limits Limits, allow Allowance) Verdict {
	limits = limits.WithDefaults()
	m, problems := read(text)
	v := judge(m, limits, allow)
	if m.Form == "" {
		if inner, alone, found := fencedMessage(string(text)); found {
			return judgeFenced(inner, alone, limits, allow)
		}
		v = judgeText(string(text), limits, allow)
	}
	repairable := m.Form != ""
	for _, p := range problems {
		r := Refusal{Code: Invalid, Path: p.Path, Reason: p.String()}
		if m.Form == "" {
			r.Resend = Template
		}
		v.Refusals = append(v.Refusals, r)
		repairable = repairable && p.surplus
	}
	v.settle()
	if !v.OK && repairable {
		v.Resend = comply(m, limits, allow)
	}
	return v
}

// Template is an example of a child's message, for a sender whose text is not a message.
const Template = `ROLE: programmer
TASK_STATUS: done
ENGRAMS:
  - kind: risk
    claim: ONE TO THREE SENTENCES
    confidence: 0.8
    ttl: P7D
    scope: project
    pointers:
      - { type: repo, ref: "repo:PATH#LFIRST-LLAST@COMMIT" }
OUTPUT:
  summary: ONE SENTENCE
`

// settle sorts the refusals and sets the verdict.
func (v *Verdict) settle() {
	slices.SortStableFunc(v.Refusals, func(a, b Refusal) int { return rank(a.Code) - rank(b.Code) })
	if v.OK = len(v.Refusals) == 0; !v.OK {
		v.Code = v.Refusals[0].Code
	}
}

func rank(code string) int {
	if code == BudgetExceeded {
		return 0
	}
	return 1
}

// judge is Check for a parsed message.
func judge(m Message, limits Limits, allow Allowance) Verdict {
	c := checker{limits: limits, allow: allow}
	c.verdict.Form = m.Form
	if m.Form == FromChild {
		c.verdict.Engrams = len(m.Child.Engrams)
		c.engrams(m.Child.Engrams)
	}
	m.walk(func(path string, v value, _ bool) {
		if l, ok := v.(list); ok && l.most > 0 {
			c.sizes(path, l.length(), l.most)
		}
	})
	for _, p := range m.pointers() {
		c.pointer(p)
	}
	texts := m.texts()
	for _, t := range texts {
		c.text(t)
	}
	c.code(append(texts, messageText{path: commentsPath, value: &m.comments}))
	c.whole(m)
	return c.verdict
}

// judgeText is Check for a text that is not a message.
func judgeText(text string, limits Limits, allow Allowance) Verdict {
	c := checker{limits: limits, allow: allow}
	c.verdict.Tokens = facts.Tokens(text)
	c.tokens()
	c.code([]messageText{{value: &text}})
	for i := range c.verdict.Refusals {
		c.verdict.Refusals[i].Resend = ""
	}
	return c.verdict
}

// commentsPath is the path of the YAML comments of a message.
const commentsPath = "comments"

type checker struct {
	limits  Limits
	allow   Allowance
	verdict Verdict
}

func (c *checker) refuse(r Refusal) { c.verdict.Refusals = append(c.verdict.Refusals, r) }

func (c *checker) invalid(path, format string, args ...any) {
	c.refuse(Refusal{Code: Invalid, Path: path, Reason: path + " " + fmt.Sprintf(format, args...)})
}

func (c *checker) sizes(path string, n, most int) {
	if n > most {
		c.refuse(Refusal{Code: Invalid, Path: path, Limit: most, Amount: n,
			Reason: fmt.Sprintf("%s has %d items; at most %d are allowed: keep the first %d", path, n, most, most)})
	}
}

// whole checks the totals of a message.
func (c *checker) whole(m Message) {
	if m.Form == "" {
		return
	}
	yaml := m.YAML()
	c.verdict.Tokens = facts.Tokens(yaml) + facts.Tokens(m.comments)
	c.tokens()
	if lines := strings.Count(yaml, "\n"); m.Form == FromParent && lines > MaxBriefLines {
		c.refuse(Refusal{Code: BudgetExceeded, Name: NameLines, Limit: MaxBriefLines, Amount: lines,
			Reason: fmt.Sprintf("the brief has %d lines in canonical form; at most %d fit: omit the last lines of SHARED_BRIEF_MICRO first", lines, MaxBriefLines)})
	}
}

func (c *checker) tokens() {
	if n, most := c.verdict.Tokens, c.limits.Inline.Tokens; n > most {
		c.refuse(Refusal{Code: BudgetExceeded, Name: NameTokens, Limit: most, Amount: n,
			Reason: fmt.Sprintf("the message has %d tokens; at most %d fit: shorten OUTPUT.summary first, then omit what matters least, and keep the pointers", n, most)})
	}
}

// code compares the code in texts with the allowed number of characters.
func (c *checker) code(texts []messageText) {
	type place struct {
		messageText
		chars int
	}
	var places []place
	for _, t := range texts {
		if _, n := Code(*t.value); n > 0 {
			places = append(places, place{t, n})
			c.verdict.CodeChars += n
		}
	}
	most := c.limits.Inline.CodeChars + c.allow.CodeChars
	if c.verdict.CodeChars <= most {
		return
	}
	for _, p := range places {
		where := p.path
		if where == "" {
			where = "the text"
		}
		r := Refusal{Code: BudgetExceeded, Path: p.path, Name: NameCode, Limit: most, Amount: c.verdict.CodeChars,
			Reason: fmt.Sprintf("%s holds %d of the message's %d characters of code; %d are allowed, and more needs a grant: use a pointer instead", where, p.chars, c.verdict.CodeChars, most)}
		if p.path != commentsPath {
			r.Resend = c.instead(p.messageText)
		}
		c.refuse(r)
	}
}
