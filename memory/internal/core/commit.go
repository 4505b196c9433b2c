package core

import (
	"fmt"
	"strings"
	"time"

	"engram/facts"
	"engram/gitstore"
)

// CommitMeta is the message of a commit and how the team wants it signed and attributed.
func CommitMeta(manifest facts.Manifest, message string) gitstore.Meta {
	return gitstore.Meta{Message: message, Sign: manifest.SignedCommits, Anonymous: manifest.AnonymousMode}
}

// RatePeriod is the period that a rate limit counts over (the consistency plan, phase
// 5).
const RatePeriod = time.Hour

// Bounds of a commit message.
const (
	maxMessageClaim = 72   // characters of a claim
	MaxMessageLines = 1000 // facts listed one by one
)

// UndoVerb is the verb of commits that take back another; that one's name follows.
const UndoVerb = "undo"

// CommitMessage lists what changed, one line a fact. The outcome of a resolution, and what is
// taken back, come first.
func CommitMessage(verb string, lines []string) string {
	if len(lines) == 1 {
		return lines[0] + "\n"
	}
	if last := len(lines) - 1; verb == ResolveVerb || verb == UndoVerb {
		return lines[last] + "\n\n" + strings.Join(lines[:last], "\n") + "\n"
	}
	listed := lines[:min(len(lines), MaxMessageLines)]
	message := fmt.Sprintf("%s %d facts\n\n%s\n", verb, len(lines), strings.Join(listed, "\n"))
	if rest := len(lines) - len(listed); rest > 0 {
		message += fmt.Sprintf("… and %d more\n", rest)
	}
	return message
}

// MessageLine is one line of a commit message: what was done to which fact, and its
// text.
func MessageLine(verb string, key facts.Key, text string) string {
	line := fmt.Sprintf("%s %s", verb, key)
	if text = MessageText(text); text != "" {
		line += ": " + text
	}
	return line
}

// MessageText removes from a text what could steer a terminal that prints git log, and
// shortens it.
func MessageText(text string) string {
	text = facts.OneLine(text)
	if runes := []rune(text); len(runes) > maxMessageClaim {
		text = string(runes[:maxMessageClaim-1]) + "…"
	}
	return text
}
