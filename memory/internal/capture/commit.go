package capture

import (
	"context"
	"fmt"
	"time"

	"engram/memory/internal/clone"
	"engram/session"
	"engram/session/journal"
	"engram/session/scrub"
)

// CommitInput is what git's hook tells of a commit.
type CommitInput struct {
	CommonDir string // of the repository
	WorkTree  string // that it was made in
	Commit    string // its whole name
	Subject   string
	Branch    string // "" if none is checked out
	At        time.Time
	Now       time.Time
}

// Commit makes a commit an event of the session that is at work in its work tree, if there
// is one, and returns the id of that session. It runs no git.
func Commit(ctx context.Context, redactor scrub.Redactor, in CommitInput) (id string, err error) {
	local := clone.Open(in.CommonDir)
	id, state, err := local.Latest(in.WorkTree, in.Now)
	if err != nil || id == "" || local.Forgotten(id) {
		return "", err
	}
	const short = 10
	text := fmt.Sprintf("commit %s %s", in.Commit[:min(short, len(in.Commit))], in.Subject)
	if in.Branch != "" {
		text += " on " + in.Branch
	}
	text, rules := redactor.Redact(text)
	e := session.Event{
		ID: session.NewID(id, in.At, []byte("commit "+in.Commit), 0, 0), Turn: state.Turn, Kind: session.SystemNote,
		At: in.At, Agent: "git", Tags: []string{session.TagCommit}, Branch: in.Branch, Commits: []string{in.Commit}, Text: text,
	}
	for _, rule := range rules {
		e.Redacted = append(e.Redacted, session.Redaction{Rule: rule, Count: 1})
	}
	line, err := session.AppendLine(nil, &e)
	if err != nil {
		return "", err
	}
	return id, local.Journal(id).Append(ctx, func(last []byte, _ int64) ([][]byte, []journal.Artifact, error) {
		if session.LineID(last) == e.ID {
			return nil, nil, nil
		}
		return [][]byte{line[:len(line)-1]}, nil, nil
	})
}
