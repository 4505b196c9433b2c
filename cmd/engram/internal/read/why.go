package read

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/internal/lazyregexp"
	"engram/memory"
	"engram/session"
)

const whyLong = `List the facts whose evidence is a file or some of its lines. PATH is relative
to the current folder. The list includes facts whose lines have moved, and facts
about a file that git says was renamed to this one. For drifted evidence, the
lines are those now in its place. Facts about the fewest lines come first; facts
about the whole file or a parent folder come last.

For a whole file it then lists the last sessions of coding agents that read or
changed it ("engram session log" lists all). For lines it says where they come
from: the commit that wrote them, and the session of a coding agent that led to
it, with what the user asked for, what the agent said, and the edit ("engram
session").

In a pipe it prints, tab-separated: first line, last line (0 for the whole
file), freshness, key, agent, committed_at, pointer, claim, and "disputed" if
the fact has an open conflict. Then, for each session that touched the file:
"session", id, client, branch, ended, title. Then, for each origin: "origin",
first line, last line, commit (empty if not committed), its date, author and
subject, session, event, turn, "commit" or "edit" (how the session was found),
what the user asked, what the agent said.`

const whyExample = `  engram why auth/session.go
  engram why auth/session.go:42
  engram why auth/session.go:12-40
  engram why auth/session.go:42 --json | jq -r '.facts[].claim'`

// NewWhyCmd returns "engram why".
func NewWhyCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "why PATH[:LINE[-LINE]]", Short: "Say what is known of a file or its lines, and where they come from", Long: whyLong, Example: whyExample,
		Args: app.One("file", "name lines of it with a colon: engram why main.go:12-40"),
		RunE: func(cmd *cobra.Command, args []string) error { return runWhy(cmd.Context(), g, args[0]) },
	}
}

func runWhy(ctx context.Context, g *app.Globals, file string) error {
	return app.Answer(ctx, g, g.Open, printWhy, func(m *memory.Memory, s config.Settings) (r memory.WhyResult, err error) {
		in, err := whyInput(file, g.Directory(), m.WorkTree())
		if err != nil {
			return r, err
		}
		in.AskedBy = s.Agent
		return m.Why(ctx, in)
	})
}

var linesForm = lazyregexp.New(`^(.+?):([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?$`)

// whyInput takes PATH:LINE apart; the path becomes one from the top of the work tree.
func whyInput(file, dir, top string) (in memory.WhyInput, err error) {
	in.Path = file
	if m := linesForm.FindStringSubmatch(file); m != nil {
		in.Path = m[1]
		in.First, _ = strconv.Atoi(m[2])
		if in.Last = in.First; m[3] != "" {
			in.Last, _ = strconv.Atoi(m[3])
		}
	}
	if top == "" { // a bare repository: from the top
		in.Path = filepath.ToSlash(in.Path)
		return in, nil
	}
	in.Path, err = app.BelowTop(dir, top, in.Path)
	return in, err
}

// printWhy prints facts by line, as git blame does.
func printWhy(out *term.Streams, r memory.WhyResult) {
	var disputed show.Disputed
	for _, f := range r.Facts {
		mark := disputed.Add(f.Key.String(), f.HasConflict)
		if !out.Terminal {
			out.Row(strconv.Itoa(f.FirstLine), strconv.Itoa(f.LastLine), string(f.Pointer.Freshness), f.Key.String(), f.AgentID, term.Stamp(f.Committed), f.Pointer.Ref, f.Claim, mark)
			continue
		}
		if mark != "" {
			mark = out.Color.Dim(" · ") + out.Color.Yellow(mark)
		}
		place := standsAt(f, r.Path)
		const indent = "  "
		meta := term.Dotted(cmp.Or(f.AgentID, show.NameOf(f.Engineer)), term.Ago(out.Now(), f.Committed))
		out.Printf("%s  %s  %s  %s\n", out.Color.Bold(place), show.Freshness(out, f.Pointer.Freshness), term.Plain(f.Key.String()), out.Color.Dim(meta)+mark)
		out.Printf("%s%s\n", indent, term.Indented(term.Plain(f.Claim), out.Width, indent))
		if f.Pointer.Reason != "" {
			out.Printf("%s%s\n", indent, out.Color.Dim(term.Plain(f.Pointer.Reason)))
		}
	}
	printTouched(out, r)
	for _, o := range r.Origins {
		if !out.Terminal {
			originRow(out, o)
			continue
		}
		printOrigin(out, o)
	}
	show.DisputeWarning(out, disputed)
	show.Notes(out, r.Notes)
	show.Withheld(out, r.Withheld, "rest on it")
	if r.Omitted > 0 {
		out.Message("note: %s left out; name fewer lines", term.Plural(r.Omitted, "fact was", "facts were"))
	}
	if len(r.Facts)+len(r.Origins) == 0 {
		out.Message("no fact rests on it; `engram query` finds what is known by words")
	}
	if len(r.Sessions) > 0 {
		out.Message("hint: `engram why %s` says where a line comes from", term.Quoted(r.Path+":LINE"))
	}
}

// printTouched prints the sessions that read or changed a whole file.
func printTouched(out *term.Streams, r memory.WhyResult) {
	if out.Terminal && len(r.Sessions) > 0 {
		if len(r.Facts) > 0 {
			out.Printf("\n")
		}
		out.Printf("%s\n", out.Color.Bold("sessions that read or changed it, the latest first"))
	}
	for _, s := range r.Sessions {
		if !out.Terminal {
			out.Row("session", s.ID, s.Client, s.Branch, term.Stamp(s.Ended), s.Title)
			continue
		}
		show.Session(out, s, r.Sessions)
	}
	if len(r.Sessions) > 0 {
		more := ""
		if r.MoreSessions > 0 {
			more = term.Plural(r.MoreSessions, "more session", "more sessions") + " touched it; "
		}
		out.Message("note: %s`engram session log %s` lists what they did to it", more, term.Quoted(r.Path))
	}
}

// standsAt says which lines of a path a fact is about.
func standsAt(f memory.WhyFact, path string) string {
	switch {
	case f.FirstLine == 0:
		return term.Plain(path)
	case f.LastLine > f.FirstLine:
		return fmt.Sprintf("%d-%d", f.FirstLine, f.LastLine)
	}
	return strconv.Itoa(f.FirstLine)
}

// said are what the user asked for and what the agent said before an edit; "" if nothing.
func said(o memory.Origin) (asked, answered string) {
	for i := range o.Exchange {
		switch e := &o.Exchange[i]; {
		case e.ID == o.Event:
		case e.Kind == session.UserMessage:
			asked = e.Text
		case e.Kind == session.AgentMessage:
			answered = e.Text
		}
	}
	return asked, answered
}

func originRow(out *term.Streams, o memory.Origin) {
	asked, answered := said(o)
	turn := term.Either(o.Session == "", "", strconv.Itoa(o.Turn))
	out.Row("origin", strconv.Itoa(o.First), strconv.Itoa(o.Last), o.Commit, term.Stamp(o.Date), o.Author, o.Subject, o.Session, o.Event, turn, o.By, asked, answered)
}

// printOrigin prints the commit and the exchange that lines come from.
func printOrigin(out *term.Streams, o memory.Origin) {
	place := strconv.Itoa(o.First)
	if o.Last > o.First {
		place += "-" + strconv.Itoa(o.Last)
	}
	commit := out.Color.Dim("not committed yet")
	if o.Commit != "" {
		commit = out.Color.Yellow(term.Short(o.Commit)) + "  " + term.Plain(o.Subject) + "  " + out.Color.Dim(term.Dotted(show.NameOf(o.Author), term.Ago(out.Now(), o.Date)))
	}
	out.Printf("%s  %s\n", out.Color.Bold(place), commit)
	if o.Session == "" {
		out.Printf("  %s\n", out.Color.Dim("no session is known that wrote them"))
		return
	}
	found := term.Either(o.By == "edit" && o.Commit != "", "found by its words", "")
	out.Printf("  %s\n", out.Color.Dim(term.Dotted("session "+o.Session, o.Client, "turn "+strconv.Itoa(o.Turn), found)))
	show.Conversation{Out: out, Session: o.Session, Short: true}.Exchange(o.Exchange)
	out.Printf("  %s\n", out.Color.Dim(term.Plain("`engram session show "+term.Quoted(o.Session)+" --around "+o.Event+"` shows what was around it")))
}
