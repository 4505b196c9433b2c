// Package read has the commands that answer questions: query, get, list, log, why,
// deref and export.
package read

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type queryOptions struct {
	*app.Globals
	in      memory.QueryInput
	asOf    string
	knownAt string
}

const queryLong = `Find the facts that answer a question, best first. Words are matched by stem;
identifiers such as AUTH_RATE_LIMIT or refreshToken are found whole and by part.
With a model ("engram model") facts are found by their meaning as well.

What team and agents can rely on ranks higher: decisions, facts with evidence,
recent ones, and those that several agents state. --explain shows for each hit
what its score is made of, --why-not KEY why a fact is not among the results.

--as-of asks what held at a time. --known-at asks what the branch knew at a time
or commit, and is answered as it would have been then. Both together: what was
known then of what held at the other time.

Facts bound to a code branch (engram commit --branch) are found on that branch
only, in place of the fact at the key they are for; --branch asks as on another.

Each write that was acknowledged before is in the answer, whoever made it.
Sources ("engram source") are asked as well, as they were last fetched; their
facts are marked, in a pipe by the key: NAME:KEY, which "engram get" takes.

In a pipe it prints, tab-separated: key, score, scope, kind, type, agent,
committed_at, verified (true or false), claim, and "disputed" if the fact has an
open conflict. --explain adds indented lines. Warnings on stderr name facts that
are disputed, and facts whose evidence has changed or is gone.`

const queryExample = `  engram query how long does a session live
  engram query "rate limit of the auth service" --scope auth --limit 3
  engram query "refund limit" --as-of 2026-04-30
  engram query "refund limit" --known-at "2w ago" --as-of 2026-04-30
  engram query "refund limit" --explain --why-not domain/payments/refund-limit
  engram query '"refund limit" -draft' --syntax
  engram query "refund limit" --json | jq -r .results[0].claim`

// NewQueryCmd returns "engram query".
func NewQueryCmd(g *app.Globals) *cobra.Command {
	opts := queryOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "query QUESTION…|-", Short: "Find facts by question", Long: queryLong, Example: queryExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.NotZero(cmd, "leaves no answer", "limit", "budget"); err != nil {
				return err
			}
			return runQuery(cmd.Context(), opts, args)
		},
	}
	f := cmd.Flags()
	flags.Bind(f, &opts.in, "scope", "limit", "syntax", "explain", "why_not", "fact_type", "kind", "tags", "agent_id", "key_prefix",
		"budget", "reach", "origins", "include_ephemeral", "branch")
	flags.Text(f, &opts.asOf, &opts.in, "as_of", "")
	flags.Text(f, &opts.knownAt, &opts.in, "known_at", "or commit")
	app.CompleteWith(cmd, "source", app.CompleteSources(g, 0, memory.Ours, memory.NoSource))
	return cmd
}

func runQuery(ctx context.Context, opts queryOptions, words []string) error {
	in, err := opts.input(ctx, words)
	if err != nil {
		return err
	}
	return app.Answer(ctx, opts.Globals, opts.OpenWithModel, printResults, func(m *memory.Memory, s config.Settings) (memory.QueryResult, error) {
		in.AskedBy, in.Limit, in.Budget = s.Agent, cmp.Or(in.Limit, s.Limit), cmp.Or(in.Budget, s.Budget)
		return m.Query(ctx, in)
	})
}

func (opts queryOptions) input(ctx context.Context, words []string) (memory.QueryInput, error) {
	in := opts.in
	if len(words) == 0 {
		return in, fault.Missing("query", "the question")
	}
	var err error
	if in.Question, err = opts.Text(ctx, "the question", strings.Join(words, " ")); err != nil {
		return in, err
	}
	if in.AsOf, err = app.TimeFlag("as-of", opts.asOf, opts.Now()); err != nil {
		return in, err
	}
	in.KnownAt, in.KnownAtRevision = app.KnownAtFlag(opts.knownAt, opts.Now())
	return in, nil
}

// printResults prints the answer to a question.
func printResults(out *term.Streams, r memory.QueryResult) {
	var old show.Drifted
	var disputed show.Disputed
	for i, hit := range r.Results {
		old.Add(show.Address(hit.Origin, hit.Key.String()), hit.Freshness)
		mark := disputed.Add(show.Address(hit.Origin, hit.Key.String()), hit.HasConflict)
		if out.Terminal {
			printHit(out, i+1, hit, mark)
			printExplanation(out, hit.Explanation, "      ")
			continue
		}
		out.Row(show.Address(hit.Origin, hit.Key.String()), strconv.FormatFloat(hit.Score, 'f', 4, 64), hit.Scope, hit.Kind, hit.FactType,
			hit.AgentID, term.Stamp(hit.Committed), strconv.FormatBool(hit.Verified), hit.Claim, mark)
		printExplanation(out, hit.Explanation, "  ")
	}
	printAbsences(out, r.WhyNot)
	show.DisputeWarning(out, disputed)
	show.DriftWarning(out, old)
	show.Notes(out, r.Notes)
	summary := []string{fmt.Sprintf("%d of %d matched", len(r.Results), r.Matched), r.Mode, "revision " + term.Short(r.Revision)}
	if r.KnownAt != "" {
		summary = append(summary, "as known at "+term.Short(r.KnownAt))
	}
	summary = append(summary, sourcesAsked(out, r.Sources)...)
	omitted := term.Either(r.Omitted > 0, fmt.Sprintf("%d left out by the budget", r.Omitted), "")
	show.Withheld(out, r.Withheld, "match")
	switch {
	case out.Terminal:
		out.Summary(append(summary, omitted)...)
	case r.Matched > len(r.Results): // nobody should take a part for the whole
		out.Message("%s", term.Dotted(append(summary, omitted)...))
	}
	if r.Matched == 0 && r.Pending == 0 {
		out.Message("no fact matches; try fewer or other words, or `engram list`")
	}
}

// sourcesAsked names the sources that an answer reflects, and how old each is.
func sourcesAsked(out *term.Streams, sources []memory.SourceAnswer) (list []string) {
	for _, src := range sources {
		fetched := "fetched at some time"
		if src.Fetched != nil {
			fetched = "fetched " + term.Ago(out.Now(), *src.Fetched)
		}
		if src.Revision != "" {
			list = append(list, fmt.Sprintf("%s at %s, %s", src.Name, term.Short(src.Revision), fetched))
		}
	}
	return list
}

func printHit(out *term.Streams, rank int, hit memory.Hit, mark string) {
	number := fmt.Sprintf("%2d  ", rank)
	margin := strings.Repeat(" ", len(number))
	corroborated := term.Either(hit.Corroborated > 0, fmt.Sprintf("stated by %d more", hit.Corroborated), "")
	ephemeral, branch := term.Either(hit.Ephemeral, "ephemeral", ""), term.Either(hit.Branch != "", "on "+hit.Branch, "")
	disputed := ""
	if mark != "" {
		disputed = out.Color.Dim(" · ") + out.Color.Yellow(mark)
	}
	disputed += show.RestsOnPainted(out, hit.Freshness)
	meta := term.Dotted(show.Origin(hit.Origin), hit.Scope, hit.FactType, term.Ago(out.Now(), hit.Committed), hit.AgentID, show.Trusted(hit.Verified, hit.Freshness), corroborated, ephemeral, branch)
	out.Printf("%s%s\n", out.Color.Dim(number), term.Indented(term.Plain(hit.Claim), out.Width, margin))
	out.Printf("%s%s%s%s\n\n", margin, term.Plain(show.Address(hit.Origin, hit.Key.String())), disputed, out.Color.Dim(" · "+meta))
}
