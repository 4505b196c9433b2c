package core

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"engram/facts"
	"engram/gitstore"
)

// CommitMeta is what a commit says of itself, by what the team agreed on.
func CommitMeta(manifest facts.Manifest, message string) gitstore.Meta {
	return gitstore.Meta{Message: message, Sign: manifest.SignedCommits, Anonymous: manifest.AnonymousMode}
}

// RatePeriod is what a rate limit counts over (seed 4, phase 5).
const RatePeriod = time.Hour

// Bounds of a commit message.
const (
	maxMessageClaim = 72   // characters of a claim
	MaxMessageLines = 1000 // facts listed one by one
)

// CommitMessage says what changed in one line a fact. What a resolution did is
// said first.
func CommitMessage(verb string, lines []string) string {
	if len(lines) == 1 {
		return lines[0] + "\n"
	}
	if last := len(lines) - 1; verb == ResolveVerb {
		return lines[last] + "\n\n" + strings.Join(lines[:last], "\n") + "\n"
	}
	listed := lines[:min(len(lines), MaxMessageLines)]
	message := fmt.Sprintf("%s %d facts\n\n%s\n", verb, len(lines), strings.Join(listed, "\n"))
	if rest := len(lines) - len(listed); rest > 0 {
		message += fmt.Sprintf("… and %d more\n", rest)
	}
	return message
}

func MessageLine(verb string, key facts.Key, text string) string {
	line := fmt.Sprintf("%s %s", verb, key)
	if text = MessageText(text); text != "" {
		line += ": " + text
	}
	return line
}

// MessageText is a text as messages have it: what git log prints must not steer
// a terminal or read as something else.
func MessageText(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > maxMessageClaim {
		text = string(runes[:maxMessageClaim-1]) + "…"
	}
	return text
}
