package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/internal/fields"
	"engram/memory"
)

// Complete gives the flags of a command, and of those below it, the completion that they
// have not been given: values if the flag takes one of a few, keys if it takes a key, and
// files only if its value is called FILE or DIR.
func Complete(cmd *cobra.Command, g *Globals) {
	values := map[string][]string{
		"kind":       fields.Values("kinds"),
		"type":       fields.Values("types"),
		"reach":      fields.Values("reaches"),
		"operation":  fields.Values("operations"),
		"durability": fields.Values("durabilities"),
		"source":     fields.Values("sources"),
		"as-of":      {"yesterday", "1h ago", "1d ago", "1w ago"},
		"status":     ConflictStatuses(),
		"severity":   memory.Severities(),
		"fail-on":    memory.Severities(),
		"verdict":    memory.Verdicts(),
		"policy":     Policies(),
		"format":     {string(memory.JSONL), string(memory.YAML)},
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		word, _ := pflag.UnquoteUsage(f)
		_, taken := cmd.GetFlagCompletionFunc(f.Name)
		switch {
		case taken, word == "FILE", word == "DIR":
		case word == "KEY", f.Name == "key-prefix":
			CompleteWith(cmd, f.Name, func(c *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
				return KeysBelow(c.Context(), g, prefix)
			})
		case f.Name == "session" && word == "ID":
			CompleteWith(cmd, f.Name, CompleteSessions(g, 0))
		case f.Name == "to":
			CompleteWith(cmd, f.Name, CompleteChildren(g))
		default:
			CompleteWith(cmd, f.Name, cobra.FixedCompletions(values[f.Name], cobra.ShellCompDirectiveNoFileComp))
		}
	})
	for _, sub := range cmd.Commands() {
		Complete(sub, g)
	}
}

// CompleteWith completes the value of an option with f.
func CompleteWith(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the option does not exist: a mistake in this package
	}
}

// CompleteArgs offers what a function finds for the first most arguments; 0 is no limit.
func CompleteArgs(most int, offer cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offer(cmd, args, prefix)
	}
}

// CompleteKeys offers the keys there are for the first most arguments; 0 is no limit.
func CompleteKeys(g *Globals, most int) cobra.CompletionFunc {
	return CompleteArgs(most, func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		return KeysBelow(cmd.Context(), g, prefix)
	})
}

// completionTime bounds how long a person at a prompt waits.
const completionTime = 2 * time.Second

// Offer asks the memory for what a shell offers. It stays silent if there is no
// memory or the answer takes too long.
func Offer[T any](ctx context.Context, open Opener, ask func(context.Context, *memory.Memory) (T, error)) (none T) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	result, err := Ask(ctx, open, func(m *memory.Memory, _ config.Settings) (T, error) { return ask(ctx, m) })
	if err != nil {
		return none
	}
	return result
}

// KeysBelow offers the next segment of the keys that begin with prefix, and
// with the whole key its claim. It stays silent if there is no memory.
func KeysBelow(ctx context.Context, g *Globals, prefix string) ([]string, cobra.ShellCompDirective) {
	result := Offer(ctx, g.Open, func(ctx context.Context, m *memory.Memory) (memory.SegmentsResult, error) {
		return m.Segments(ctx, memory.SegmentsInput{Prefix: prefix})
	})
	directive := cobra.ShellCompDirectiveNoFileComp
	var offers []string
	for _, s := range result.Segments {
		offer := s.Name
		if strings.HasSuffix(offer, "/") {
			directive |= cobra.ShellCompDirectiveNoSpace
		} else {
			offer += "\t" + term.Plain(s.Claim)
		}
		offers = append(offers, offer)
	}
	return offers, directive
}

// CompleteSessions offers the ids of sessions with their titles, for the first most arguments;
// 0 is no limit.
func CompleteSessions(g *Globals, most int) cobra.CompletionFunc {
	return CompleteFrom(g, most, func(ctx context.Context, m *memory.Memory) ([]string, error) {
		r, err := m.Sessions(ctx, memory.SessionsInput{Limit: offered})
		var offers []string
		for _, s := range r.Sessions {
			offers = append(offers, s.ID+"\t"+term.Dotted(term.Ago(g.Out.Now(), s.Ended), s.Title))
		}
		return offers, err
	})
}

// offered is how many sessions a shell offers.
const offered = 200

// CompleteChildren offers the agents that there are grants for.
func CompleteChildren(g *Globals) cobra.CompletionFunc {
	return CompleteGrants(g, func(s memory.GrantState) string { return s.Child })
}

// CompleteGrants offers something of each grant, once.
func CompleteGrants(g *Globals, of func(memory.GrantState) string) cobra.CompletionFunc {
	return CompleteFrom(g, 1, func(ctx context.Context, m *memory.Memory) (offers []string, err error) {
		r, err := m.Grants(ctx, "")
		seen := make(map[string]bool)
		for _, s := range r.Grants {
			if offer := of(s); offer != "" && !seen[offer] {
				seen[offer] = true
				offers = append(offers, offer)
			}
		}
		return offers, err
	})
}

// ClaimOf is the claim of a fact, or "" if the fact is gone.
func ClaimOf(f *memory.Fact) string {
	if f == nil {
		return ""
	}
	return f.Claim
}

// CompleteFrom offers what a function finds in the memory, for the first most arguments
// (0: all). It stays silent if there is no memory.
func CompleteFrom(g *Globals, most int, find func(context.Context, *memory.Memory) ([]string, error)) cobra.CompletionFunc {
	return CompleteArgs(most, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return Offer(cmd.Context(), g.Open, find), cobra.ShellCompDirectiveNoFileComp
	})
}

// ConflictStatuses are the values of --status.
func ConflictStatuses() []string { return append(memory.Statuses(), memory.AllStatuses) }

// Policies are the rules by which resolve settles conflicts without asking.
func Policies() []string { return []string{"last-writer", "higher-confidence"} }

// CompletePointers leaves it to the shell to offer files, for the one argument.
func CompletePointers() cobra.CompletionFunc {
	return CompleteArgs(1, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault))
}

// CompleteSources offers the names of sources for the first most arguments; 0 is no limit.
// It stays silent if there is no repository.
func CompleteSources(g *Globals, most int, also ...string) cobra.CompletionFunc {
	return CompleteArgs(most, func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		result := Offer(cmd.Context(), g.Open, func(ctx context.Context, m *memory.Memory) (memory.SourcesResult, error) { return m.Sources(ctx) })
		var offers []string
		for _, src := range result.Sources {
			if !slices.Contains(args, src.Name) {
				offers = append(offers, src.Name+"\t"+term.Plain(src.URL))
			}
		}
		return append(offers, also...), cobra.ShellCompDirectiveNoFileComp
	})
}
