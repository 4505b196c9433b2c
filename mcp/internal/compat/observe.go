package compat

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"engram/facts"
	"engram/mcp/internal/tool"
	"engram/memory"
)

// Bounds of a title and of a claim that shows the beginning of a content, in
// characters.
const (
	maxTitle   = 200
	maxPreview = 300
)

// titleEnd stands between title and content in a claim; few titles contain it.
const titleEnd = " — "

// claimOf makes a claim and a detail of a title and a content.
//
//  1. A content of one line that fits beside its Title: both are the claim.
//  2. Any other: the claim is the title and how the content begins, or all its
//     words if they fit; the whole content is the detail, as it was given.
//
// What fits into neither is rejected.
func claimOf(title, content string) (claim, detail string, err error) {
	title, content = facts.FoldSpace(title), strings.TrimSpace(content)
	if n := utf8.RuneCountInString(title); n > maxTitle {
		return "", "", tool.Reject(fmt.Sprintf("title has %d characters; at most %d fit", n, maxTitle), "a title is one short line; the rest belongs into content")
	}
	if title == "" && content == "" {
		return "", "", tool.Reject("there is neither title nor content", "say in title what it is about and in content what was found")
	}
	if len(content) > facts.MaxDetail {
		return "", "", tool.Reject(
			fmt.Sprintf("content has %d bytes; at most %d fit; nothing was written", len(content), facts.MaxDetail),
			"save it as several facts of one topic each (topic_key TOPIC/part-1, TOPIC/part-2), or keep it in a file of the repository and save where that is",
		)
	}
	whole := joined(title, facts.FoldSpace(content))
	switch {
	case utf8.RuneCountInString(whole) > facts.MaxClaim:
		return shortened(whole), content, nil
	case strings.Contains(content, "\n"):
		return whole, content, nil
	}
	return whole, "", nil
}

func joined(title, content string) string {
	if title == "" || content == "" {
		return title + content
	}
	return title + titleEnd + content
}

// shortened cuts a text between words.
func shortened(text string) string {
	cut := string([]rune(text)[:maxPreview-1])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return cut + "…"
}

// titledOf takes a fact apart again. One that claimOf did not make has a
// title only if it has a detail.
func titledOf(f memory.Fact) (title, content string) {
	if claim, detail, err := claimOf("", cmp.Or(f.Detail, f.Claim)); err == nil && claim == f.Claim && detail == f.Detail && !strings.Contains(f.Claim, titleEnd) {
		return "", cmp.Or(f.Detail, f.Claim)
	}
	title, rest, found := strings.Cut(f.Claim, titleEnd)
	if !found && f.Detail == "" {
		return "", f.Claim
	}
	return title, cmp.Or(f.Detail, rest)
}

// kindOfFact is what a type of that protocol is in this memory.
type kindOfFact struct {
	kind facts.Kind
	how  facts.Type
	tag  string
}

// kindOfType: decisions and architecture are decisions, everything else is a fact;
// a tag keeps the word itself.
func kindOfType(typ string) (kindOfFact, error) {
	if typ == "" {
		return kindOfFact{}, nil // as the version before it
	}
	s := kindOfFact{facts.KindFact, facts.Observation, facts.Slug(typ)}
	switch s.tag {
	case "":
		return s, tool.Reject(fmt.Sprintf("type %.40q has no letter or digit", typ), "use decision, architecture, bugfix, pattern, config, discovery or learning")
	case "decision", "architecture":
		s.kind, s.how = facts.KindDecision, facts.Decision
	}
	return s, nil
}

func (s kindOfFact) tags() []string {
	if s.tag == "" {
		return nil
	}
	return []string{s.tag}
}
