package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram/memory"
)

type getOptions struct {
	*globals
	args    []string
	asOf    string
	knownAt string
	source  string
	branch  string
}

const getLong = `Show the fact at a key with everything that is known of it, or with --as-of the
version that held at that time, or with --known-at the one that the branch had
at that time or commit. On a code branch that has a fact of its own for the key,
that one is shown. NAME:KEY, or --source NAME, is the fact of a source. Exit
code 1 where there is none.

In a pipe it prints one field a line: its name, a tab, its value.`

const getExample = `  engram get domain/auth/session-lifetime
  engram get domain/auth/session-lifetime --as-of "3d ago"
  engram get org:architecture/logging/format
  engram get domain/auth/session-lifetime --json | jq -r .fact.claim`

func newGetCmd(g *globals) *cobra.Command {
	opts := getOptions{globals: g}
	cmd := &cobra.Command{
		Use: "get KEY|-", Aliases: []string{"show"}, Short: "Show the fact at a key", Long: getLong, Example: getExample,
		ValidArgsFunction: completeKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runGet(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVar(&opts.asOf, "as-of", "", "the version that held at this `TIME` (see engram help times)")
	cmd.Flags().StringVar(&opts.knownAt, "known-at", "", "as the branch knew it at this `TIME` or commit")
	sourceFlag(cmd, g, &opts.source)
	askOnOption(cmd.Flags(), &opts.branch)
	return cmd
}

func runGet(ctx context.Context, opts getOptions, io *streams) error {
	key, err := opts.oneKey(ctx, "get", opts.args)
	if err != nil {
		return err
	}
	asOf, err := timeFlag("as-of", opts.asOf, opts.now())
	if err != nil {
		return err
	}
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	in := memory.GetInput{Key: key, AsOf: asOf, Origin: opts.source, Branch: opts.branch}
	in.KnownAt, in.KnownAtRevision = knownAtFlag(opts.knownAt, opts.now())
	result, err := m.Get(ctx, in)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	io.fact(result)
	return nil
}

// fact prints everything about one fact.
func (io *streams) fact(r memory.FactResult) {
	f := r.Fact
	var old drifted
	old.add(address(f.Origin, f.Key.String()), f.Freshness)
	for _, note := range r.Notes {
		io.message("note: %s", note)
	}
	if !io.terminal {
		io.pairs("", append([]pair{{"key", f.Key.String()}, {"claim", f.Claim}, {"detail", f.Detail}}, io.fields(r)...))
		io.driftWarning(old)
		return
	}
	io.printf("%s\n  %s\n", io.color.bold(plain(f.Key.String())), indented(plain(f.Claim), io.width, "  "))
	if f.Detail != "" {
		io.printf("\n")
		for line := range strings.SplitSeq(f.Detail, "\n") {
			io.printf("  %s\n", plain(line))
		}
	}
	io.printf("\n")
	io.pairs("  ", io.fields(r))
}

func (io *streams) fields(r memory.FactResult) []pair {
	f := r.Fact
	confidence := ""
	if f.Confidence != nil {
		confidence = strconv.FormatFloat(*f.Confidence, 'f', -1, 64)
	}
	refs := make([]string, len(f.Pointers))
	for i, p := range f.Pointers {
		if refs[i] = p.Ref; io.terminal && p.Freshness != memory.Fresh && p.Freshness != memory.Unchecked {
			refs[i] += " (" + strings.TrimSuffix(string(p.Freshness)+" → "+p.Now, " → ") + ")"
		}
	}
	until := time.Time{}
	if f.ValidUntil != nil {
		until = *f.ValidUntil
	}
	list := []pair{
		{"state", string(f.State)}, {"scope", f.Scope}, {"kind", f.Kind}, {"type", f.FactType}, {"reach", f.Reach},
		{"confidence", confidence}, {"tags", strings.Join(f.Tags, ", ")}, {"verified", strconv.FormatBool(f.Verified)},
		{"pointers", strings.Join(refs, " ")}, {"evidence", f.Evidence}, {"freshness", string(f.Freshness)},
		{"agent", f.AgentID}, {"engineer", f.Engineer}, {"source", f.Source},
		{"committed", io.moment(f.Committed)}, {"valid_from", io.moment(f.ValidFrom)}, {"valid_until", io.moment(until)},
		{"ttl", f.TTL}, {"durability", f.Durability}, {"operation", f.MemoryOp},
		{"fact_id", f.FactID}, {"lineage", f.LineageID}, {"supersedes", f.Supersedes}, {"revision", io.revision(r.Revision)},
	}
	for _, p := range []pair{{"origin", f.Origin}, {"branch", f.Branch}, {"for", f.For.String()}} { // few facts have these
		if p[1] != "" {
			list = append(list, p)
		}
	}
	return list
}

// moment writes a time for scripts, or for people with its distance.
func (io *streams) moment(t time.Time) string {
	if !io.terminal || t.IsZero() {
		return stamp(t)
	}
	return t.Local().Format("2006-01-02 15:04:05") + " (" + ago(io.now(), t) + ")"
}

// revision writes a revision in full for scripts, and abbreviated for people.
func (io *streams) revision(r string) string {
	if io.terminal {
		return short(r)
	}
	return r
}
