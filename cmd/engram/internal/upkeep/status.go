// Package upkeep has the commands that look after a memory and this program: status,
// verify, watch, lint, doctor, purge, version and completion.
package upkeep

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

const statusLong = `Show the state of the memory at a glance. The command changes nothing.

In a pipe it prints one field a line: its name, a tab, its value.`

// NewStatusCmd returns "engram status".
func NewStatusCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show the state of the memory", Long: statusLong,
		Example: "  engram status\n  engram status --json | jq -e .ready",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(cmd.Context(), g, g.OpenWithModel, printStatus, func(m *memory.Memory, _ config.Settings) (memory.StatusResult, error) {
				return m.Status(cmd.Context(), memory.StatusInput{})
			})
		},
	}
}

func printStatus(out *term.Streams, s memory.StatusResult) {
	if !out.Terminal {
		out.Pairs("", []term.Pair{
			{"repository", s.Repository}, {"branch", s.Branch}, {"ready", strconv.FormatBool(s.Ready)}, {"revision", s.Revision},
			{"files", strconv.Itoa(s.Files)}, {"last_commit", s.LastCommit}, {"last_change", term.Stamp(s.LastChange)}, {"mode", s.Mode},
			{"indexed_revision", s.Indexed}, {"index_bytes", strconv.FormatInt(s.IndexBytes, 10)}, {"pending", strconv.Itoa(s.Pending)},
			{"model", s.Model}, {"pending_vectors", strconv.Itoa(s.NoVector)},
			{"open_conflicts", strconv.Itoa(s.Conflicts)}, {"open_updates", strconv.Itoa(s.Updates)}, {"unaudited", strconv.Itoa(s.Unaudited)}, {"proposed", strconv.Itoa(s.Proposed)}, {"state_dir", s.StateDir}, {"checked_out_at", s.CheckedOut},
			{"remote", s.Remote}, {"unshared", strconv.Itoa(s.Unshared)}, {"behind", strconv.Itoa(s.Behind)}, {"queued_since", term.Stamp(s.QueuedSince)},
			{"sessions", strconv.Itoa(s.Sessions)}, {"live_sessions", strconv.Itoa(s.LiveSessions)}, {"unindexed_sessions", strconv.Itoa(s.UnindexedSessions)},
		})
	} else {
		out.Pairs("", []term.Pair{{"repository", s.Repository}, {"branch", s.Branch + branchState(s)}, {"facts", term.Either(s.Ready, strconv.Itoa(s.Files), "")},
			{"last change", lastChange(out, s)}, {"index", indexState(s)},
			{"model", modelState(s)}, {"conflicts", conflictState(s)}, {"proposed", proposedState(s)}, {"shared", sharingState(out, s)}, {"sessions", sessionState(s)}, {"state", s.StateDir}})
	}
	if s.CheckedOut != "" {
		out.Message("warning: the branch is checked out in %s, so engram writes nothing\nhint: switch that work tree to another branch", s.CheckedOut)
	}
	if !s.Ready && s.NextCommand != "" {
		out.Message("hint: `%s` begins a memory here", s.NextCommand)
	}
}

func branchState(s memory.StatusResult) string {
	return term.Either(s.Ready, " at "+term.Short(s.Revision), " (does not exist yet)")
}

func conflictState(s memory.StatusResult) string {
	if !s.Ready {
		return ""
	}
	return term.Dotted(cmp.Or(term.Some(s.Conflicts, "is open", "are open"), "none open"),
		term.Some(s.Updates, "update to confirm", "updates to confirm"), term.Some(s.Unaudited, "fact not audited yet", "facts not audited yet"))
}

func proposedState(s memory.StatusResult) string {
	return term.Some(s.Proposed, "fact waits for a review (`engram review`)", "facts wait for a review (`engram review`)")
}

// sharingState says what the remote lacks, and what it has that was not taken in.
func sharingState(out *term.Streams, s memory.StatusResult) string {
	switch {
	case !s.Ready:
		return ""
	case s.Remote == "":
		return "with nobody: there is no remote"
	}
	queue := ""
	if !s.QueuedSince.IsZero() {
		queue = "unreachable since " + term.Ago(out.Now(), s.QueuedSince)
	}
	state := term.Dotted(term.Some(s.Unshared, "commit to send", "commits to send"), term.Some(s.Behind, "commit to take in", "commits to take in"), queue)
	if state == "" {
		return "with " + s.Remote + ", up to date"
	}
	return "with " + s.Remote + ": " + state + " (`engram sync`)"
}

// sessionState says how many sessions are kept; "" for none.
func sessionState(s memory.StatusResult) string {
	if s.Sessions == 0 {
		return ""
	}
	return term.Dotted(term.Plural(s.Sessions, "is kept", "are kept"), term.Count(s.LiveSessions, "at work"), term.Count(s.UnindexedSessions, "not indexed yet"))
}

func lastChange(out *term.Streams, s memory.StatusResult) string {
	if s.LastChange.IsZero() {
		return ""
	}
	return s.LastCommit + " (" + term.Ago(out.Now(), s.LastChange) + ")"
}

func indexState(s memory.StatusResult) string {
	switch {
	case !s.Ready:
		return ""
	case s.Indexed == "":
		return "none yet; the first query builds it"
	case s.Pending > 0:
		return fmt.Sprintf("%s, %d facts to catch up on, %s", s.Mode, s.Pending, term.Size(s.IndexBytes))
	}
	return fmt.Sprintf("%s, up to date, %s", s.Mode, term.Size(s.IndexBytes))
}

func modelState(s memory.StatusResult) string {
	switch {
	case s.NoModel != "":
		return "none: " + s.NoModel
	case s.Model == "":
		return "none; facts are found by their words (`engram model list`)"
	case s.NoVector > 0:
		return fmt.Sprintf("%s, %d facts without a vector yet", s.Model, s.NoVector)
	}
	return s.Model + ", every fact has a vector"
}
