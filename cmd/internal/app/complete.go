package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

func texts[T ~string](values []T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

// CompleteEnums offers the values of the options that take one of a few, and
// keys where a key is meant.
func CompleteEnums(cmd *cobra.Command, g *Globals) {
	for name, values := range map[string][]string{
		"kind":       texts(facts.Kinds()),
		"type":       texts(facts.Types()),
		"reach":      texts(facts.Reaches()),
		"operation":  texts(facts.Operations()),
		"durability": texts(facts.Durabilities()),
		"source":     texts(facts.Sources()),
		"as-of":      {"yesterday", "1h ago", "1d ago", "1w ago"},
		"status":     ConflictStatuses(),
		"severity":   memory.Severities(),
		"fail-on":    memory.Severities(),
		"verdict":    memory.Verdicts(),
		"policy":     Policies(),
	} {
		if _, taken := cmd.GetFlagCompletionFunc(name); cmd.Flags().Lookup(name) != nil && !taken { // --source of a query is another
			CompleteWith(cmd, name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	for _, name := range []string{"key", "key-prefix", "merge"} {
		if cmd.Flags().Lookup(name) != nil {
			CompleteWith(cmd, name, func(c *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
				return KeysBelow(c.Context(), g, prefix)
			})
		}
	}
}

// CompleteFormats offers the formats of imports and exports for --format.
func CompleteFormats(cmd *cobra.Command) {
	CompleteWith(cmd, "format", cobra.FixedCompletions(
		[]string{string(memory.JSONL), string(memory.YAML)}, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteWith completes the value of an option with f.
func CompleteWith(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the option does not exist: a mistake in this package
	}
}

// CompleteKeys offers the keys there are for the first most arguments; 0 is no
// limit.
func CompleteKeys(g *Globals, most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return KeysBelow(cmd.Context(), g, prefix)
	}
}

// completionTime bounds how long a person at a prompt waits.
const completionTime = 2 * time.Second

// Offer asks the memory for what a shell offers. It stays silent if there is no
// memory or the answer takes too long.
func Offer[T any](
	ctx context.Context, open func(context.Context) (*memory.Memory, config.Settings, func(), error),
	ask func(context.Context, *memory.Memory) (T, error),
) (none T) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	m, _, done, err := open(ctx)
	if err != nil {
		return none
	}
	defer done()
	result, err := ask(ctx, m)
	if err != nil {
		return none
	}
	return result
}

// KeysBelow offers the next segment of the keys that begin with prefix, and
// with the whole key its claim. It stays silent where there is no memory.
func KeysBelow(ctx context.Context, g *Globals, prefix string) ([]string, cobra.ShellCompDirective) {
	folder := prefix[:strings.LastIndexByte(prefix, '/')+1]
	result := Offer(ctx, g.Open, func(ctx context.Context, m *memory.Memory) (memory.ListResult, error) {
		return m.List(ctx, memory.ListInput{Prefix: folder})
	})
	directive := cobra.ShellCompDirectiveNoFileComp
	var offers []string
	for _, f := range result.Facts {
		key := f.Key.String()
		if !strings.HasPrefix(key, prefix) {
			continue
		}
		offer := key + "\t" + term.Plain(f.Claim)
		if slash := strings.IndexByte(key[len(folder):], '/'); slash >= 0 {
			offer = key[:len(folder)+slash+1]
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		if n := len(offers); n == 0 || offers[n-1] != offer { // they come sorted
			offers = append(offers, offer)
		}
	}
	return offers, directive
}

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

// CompleteFrom offers what a function finds in the memory, for the first most
// arguments (0: all). It stays silent where there is no memory.
func CompleteFrom(g *Globals, most int, find func(context.Context, *memory.Memory) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		offers := Offer(cmd.Context(), g.Open, find)
		return offers, cobra.ShellCompDirectiveNoFileComp
	}
}

// ConflictStatuses are the values of --status.
func ConflictStatuses() []string { return append(memory.Statuses(), memory.AllStatuses) }

// Policies are the rules by which resolve settles conflicts without asking.
func Policies() []string { return []string{"last-writer", "higher-confidence"} }

// CompletePointers leaves it to the shell to offer files, for the one argument.
func CompletePointers(_ *Globals) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// CompleteSources offers the names of sources for the first most arguments; 0 is
// no limit.
func CompleteSources(g *Globals, most int, also ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var offers []string
		for _, src := range g.sourcesToOffer(cmd.Context()) {
			if !slices.Contains(args, src.Name) {
				offers = append(offers, src.Name+"\t"+term.Plain(src.URL))
			}
		}
		return append(offers, also...), cobra.ShellCompDirectiveNoFileComp
	}
}

// sourcesToOffer stays silent where there is no repository.
func (g *Globals) sourcesToOffer(ctx context.Context) []memory.Source {
	result := Offer(ctx, g.Open, func(ctx context.Context, m *memory.Memory) (memory.SourcesResult, error) { return m.Sources(ctx) })
	return result.Sources
}
