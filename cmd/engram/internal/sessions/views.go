package sessions

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

const consolidateLong = `Derive from sessions what can be read instead of them: episodes, decisions,
lessons, failures and how they ended, and a tree of topics over all. "engram
watch" does the same in the background. Nothing is lost if they are deleted:
each points to the events that it was made of, and recall reads those. If a
model is configured, it also makes the vectors by which recall finds events that
say it in other words.

A language model (llm.url) reads the conversations, too, and picks decisions and
lessons that the rules miss, if it runs on this machine or llm.sessions lets it.
Only sentences that somebody said are kept.

In a pipe it prints names and values, tab-separated: sessions, current,
episodes, records.`

func newConsolidateCmd(g *app.Globals) *cobra.Command {
	var in memory.ConsolidateInput
	cmd := &cobra.Command{
		Use: "consolidate [ID]", Short: "Derive episodes, decisions and lessons from sessions", Long: consolidateLong,
		Example: "  engram session consolidate\n  engram session consolidate 0f3a --again",
		Args:    app.AtMostOne("session", "`engram session list` shows the ids there are"), ValidArgsFunction: app.CompleteSessions(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				in.Session = args[0]
			}
			return answer(cmd.Context(), g, g.OpenToAudit, printConsolidated, func(m *memory.Memory, _ string) (memory.ConsolidateResult, error) {
				return m.Consolidate(cmd.Context(), in)
			})
		},
	}
	flags.Bind(cmd.Flags(), &in, "again", "questions")
	return cmd
}

func printConsolidated(out *term.Streams, r memory.ConsolidateResult) {
	for _, note := range r.Notes {
		out.Message("note: %s", term.Plain(note))
	}
	if !out.Terminal {
		for _, row := range []struct {
			name  string
			value int
		}{{"sessions", r.Sessions}, {"current", r.Current}, {"episodes", r.Episodes}, {"records", r.Records}} {
			out.Row(row.name, strconv.Itoa(row.value))
		}
		return
	}
	out.Printf("%s\n", term.Dotted(term.Plural(r.Sessions, "session read", "sessions read"), term.Some(r.Current, "was up to date", "were up to date"),
		term.Plural(r.Episodes, "episode", "episodes"), term.Plural(r.Records, "decision or lesson", "decisions and lessons"), term.Some(r.Embedded, "event got a vector", "events got a vector"),
		term.Some(r.Asked, "question to the language model", "questions to the language model"), term.Some(r.Unread, "episode left to read", "episodes left to read")))
}

const viewsLong = `Show what was derived of a session: its episodes, and the decisions, lessons and
fixed failures that were found in it, each with the event that says it. Without
an ID, show the topics of all sessions as a tree. "engram session consolidate"
derives what is missing.

A decision or lesson is a candidate for a fact; nothing is committed by itself.

In a pipe it prints, tab-separated: kind, session, event, turn, time, text; of
an episode, text is what was asked.`

func newViewsCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "views [ID]", Short: "Show episodes, decisions, lessons and topics", Long: viewsLong,
		Example: "  engram session views\n  engram session views 0f3a\n  engram session views --json | jq '.records[] | select(.kind == \"decision\")'",
		Args:    app.AtMostOne("session", "`engram session list` shows the ids there are"), ValidArgsFunction: app.CompleteSessions(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := memory.ViewsInput{}
			if len(args) == 1 {
				in.Session = args[0]
			}
			return answer(cmd.Context(), g, g.Open, printViews, func(m *memory.Memory, _ string) (memory.ViewsResult, error) {
				return m.Views(cmd.Context(), in)
			})
		},
	}
}

func printViews(out *term.Streams, r memory.ViewsResult) {
	switch {
	case !out.Terminal:
		for _, e := range r.Episodes {
			out.Row("episode", e.Session, e.First, strconv.Itoa(e.FirstTurn), term.Stamp(e.Started), e.Asked)
		}
		for _, rec := range r.Records {
			out.Row(string(rec.Kind), rec.Session, rec.Event, strconv.Itoa(rec.Turn), term.Stamp(rec.At), rec.Text)
		}
	case r.Topics != nil:
		printTopics(out, r, r.Topics, "")
	default:
		printEpisodes(out, r)
		printRecords(out, r)
	}
	if r.Behind > 0 {
		out.Message("note: %s\nhint: `engram session consolidate` brings this up to date", term.Plural(r.Behind, "session is new or has changed", "sessions are new or have changed"))
	} else if len(r.Episodes) == 0 {
		out.Message("no sessions are kept here\nhint: `engram session import --all` keeps those that clients have stored on this machine")
	}
}

func printEpisodes(out *term.Streams, r memory.ViewsResult) {
	for _, e := range r.Episodes {
		turns := fmt.Sprintf("turns %d–%d", e.FirstTurn, e.LastTurn)
		if e.FirstTurn == e.LastTurn {
			turns = fmt.Sprintf("turn %d", e.FirstTurn)
		}
		out.Printf("%s  %s\n", out.Color.Bold(term.Plain(turns)), out.Color.Dim(term.Dotted(
			term.Ago(out.Now(), e.Started), term.Plural(e.Events, "event", "events"), term.Some(e.Failed, "failure", "failures"), term.Some(len(e.Commits), "commit", "commits"))))
		out.Text("  ", e.Asked)
		if len(e.Topics) > 0 {
			out.Printf("  %s\n", out.Color.Dim(term.Plain(strings.Join(e.Topics, " · "))))
		}
	}
}

func printRecords(out *term.Streams, r memory.ViewsResult) {
	for _, rec := range r.Records {
		out.Printf("%s  %s\n", out.Color.Green(term.Plain(string(rec.Kind))), out.Color.Dim(term.Dotted("turn "+strconv.Itoa(rec.Turn), rec.Who, "sam:"+rec.Session+"@"+rec.Event)))
		out.Text("  ", rec.Text)
	}
}

// printTopics prints a topic with those below it. What was asked in its episodes says what it is
// about.
func printTopics(out *term.Streams, r memory.ViewsResult, t *memory.Topic, indent string) {
	if len(t.Topics) > 0 {
		out.Printf("%s%s  %s\n", indent, out.Color.Bold(term.Plain(strings.Join(t.Topics, ", "))), out.Color.Dim(term.Plural(t.Size, "episode", "episodes")))
		indent += "  "
	}
	for _, i := range t.Episodes {
		e := r.Episodes[i]
		out.Text(indent, e.Asked)
		out.Printf("%s  %s\n", indent, out.Color.Dim(term.Dotted(e.Session, fmt.Sprintf("turn %d", e.FirstTurn), term.Ago(out.Now(), e.Started))))
	}
	for _, child := range t.Children {
		printTopics(out, r, child, indent)
	}
}
