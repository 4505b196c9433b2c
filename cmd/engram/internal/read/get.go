package read

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

type getOptions struct {
	*app.Globals
	in      memory.GetInput
	asOf    string
	knownAt string
}

const getLong = `Show the fact at a key with all its fields. --as-of shows the version that held
at a time, --known-at the version that the branch had at a time or commit. If
the code branch has its own fact for the key, that fact is shown. Use NAME:KEY
or --source NAME for a fact of a source. Exit code 1 if the fact is not found.

In a pipe it prints one field a line: its name, a tab, its value. "disputed" is
true if the fact has an open conflict, and empty if nobody has compared it yet.`

const getExample = `  engram get domain/auth/session-lifetime
  engram get domain/auth/session-lifetime --as-of "3d ago"
  engram get org:architecture/logging/format
  engram get domain/auth/session-lifetime --json | jq -r .fact.claim`

// NewGetCmd returns "engram get".
func NewGetCmd(g *app.Globals) *cobra.Command {
	opts := getOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "get KEY|-", Aliases: []string{"show"}, Short: "Show the fact at a key", Long: getLong, Example: getExample,
		Args: app.OneKey, ValidArgsFunction: app.CompleteKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runGet(cmd.Context(), opts, args[0]) },
	}
	flags.Text(cmd.Flags(), &opts.asOf, &opts.in, "as_of", "")
	flags.Text(cmd.Flags(), &opts.knownAt, &opts.in, "known_at", "or commit")
	flags.Bind(cmd.Flags(), &opts.in, "origin", "branch")
	app.CompleteWith(cmd, "source", app.CompleteSources(g, 0))
	return cmd
}

func runGet(ctx context.Context, opts getOptions, key string) error {
	in := opts.in
	var err error
	if in.Key, err = opts.Text(ctx, "the key", key); err != nil {
		return err
	}
	if in.AsOf, err = app.TimeFlag("as-of", opts.asOf, opts.Now()); err != nil {
		return err
	}
	in.KnownAt, in.KnownAtRevision = app.KnownAtFlag(opts.knownAt, opts.Now())
	return app.Answer(ctx, opts.Globals, opts.Open, PrintFact, func(m *memory.Memory, _ config.Settings) (memory.FactResult, error) {
		return m.Get(ctx, in)
	})
}

// PrintFact prints everything about one fact.
func PrintFact(out *term.Streams, r memory.FactResult) {
	f := r.Fact
	var old show.Drifted
	old.Add(show.Address(f.Origin, f.Key.String()), f.Freshness)
	var disputed show.Disputed
	disputed.Add(show.Address(f.Origin, f.Key.String()), f.HasConflict)
	if !out.Terminal {
		out.Pairs("", append([]term.Pair{{"key", f.Key.String()}, {"claim", f.Claim}, {"detail", f.Detail}}, fieldsOf(out, r)...))
		show.DisputeWarning(out, disputed)
		show.DriftWarning(out, old)
		show.Notes(out, r.Notes)
		return
	}
	out.Printf("%s\n  %s\n", out.Color.Bold(term.Plain(f.Key.String())), term.Indented(term.Plain(f.Claim), out.Width, "  "))
	if f.Detail != "" {
		out.Printf("\n")
		out.Lines("  ", f.Detail)
	}
	out.Printf("\n")
	out.Pairs("  ", fieldsOf(out, r))
	show.Notes(out, r.Notes)
}

// disputedField says whether a fact has an open conflict; "" if nobody has compared it.
func disputedField(out *term.Streams, f memory.Fact) string {
	switch {
	case f.HasConflict == nil, out.Terminal && !*f.HasConflict:
		return ""
	case out.Terminal:
		return "yes, see `engram conflicts " + show.Address(f.Origin, f.Key.String()) + "`"
	}
	return strconv.FormatBool(*f.HasConflict)
}

func fieldsOf(out *term.Streams, r memory.FactResult) []term.Pair {
	f := r.Fact
	confidence := ""
	if f.Confidence != nil {
		confidence = strconv.FormatFloat(*f.Confidence, 'f', -1, 64)
	}
	refs := make([]string, len(f.Pointers))
	for i, p := range f.Pointers {
		if refs[i] = p.Ref; out.Terminal && p.Freshness != memory.Fresh && p.Freshness != memory.Unchecked {
			refs[i] += " (" + strings.TrimSuffix(string(p.Freshness)+" → "+p.Now, " → ") + ")"
		}
	}
	list := []term.Pair{
		{"state", string(f.State)}, {"disputed", disputedField(out, f)}, {"scope", f.Scope}, {"kind", f.Kind}, {"type", f.FactType}, {"reach", f.Reach},
		{"confidence", confidence}, {"tags", strings.Join(f.Tags, ", ")}, {"verified", strconv.FormatBool(f.Verified)},
		{"pointers", strings.Join(refs, " ")}, {"evidence", f.Evidence}, {"freshness", string(f.Freshness)},
		{"agent", f.AgentID}, {"engineer", f.Engineer}, {"source", f.Source},
		{"committed", moment(out, &f.Committed)}, {"valid_from", moment(out, &f.ValidFrom)}, {"valid_until", moment(out, f.ValidUntil)},
		{"ttl", f.TTL}, {"durability", f.Durability}, {"operation", f.MemoryOp},
		{"fact_id", f.FactID}, {"lineage", f.LineageID}, {"supersedes", f.Supersedes}, {"revision", show.Revision(out, r.Revision)},
	}
	for _, p := range []term.Pair{{"session", learntIn(out, f.Session)}, {"origin", f.Origin}, {"branch", f.Branch}, {"for", f.For.String()}} { // few facts have these
		if p[1] != "" {
			list = append(list, p)
		}
	}
	return list
}

// learntIn is the session in which a fact was learnt; for people, how to read it.
func learntIn(out *term.Streams, ref string) string {
	if !out.Terminal || ref == "" {
		return ref
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(ref, "sam:"), "@")
	return term.Plain(id) + out.Color.Dim(" (engram session show "+term.Plain(ref)+")")
}

// moment writes a time for scripts, or for people with its distance.
func moment(out *term.Streams, t *time.Time) string {
	if !out.Terminal || t == nil || t.IsZero() {
		return term.StampOf(t)
	}
	return t.Local().Format("2006-01-02 15:04:05") + " (" + term.Ago(out.Now(), *t) + ")"
}
