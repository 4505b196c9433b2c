package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram/facts"
	"engram/memory"
)

// names lists the values of an enumeration for help texts.
func names[T ~string](values []T) string { return strings.Join(texts(values), ", ") }

func texts[T ~string](values []T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

// completeEnums offers the values of the options that take one of a few, and
// keys where a key is meant.
func completeEnums(cmd *cobra.Command, g *globals) {
	for name, values := range map[string][]string{
		"kind":       texts(facts.Kinds()),
		"type":       texts(facts.Types()),
		"reach":      texts(facts.Reaches()),
		"operation":  texts(facts.Operations()),
		"durability": texts(facts.Durabilities()),
		"source":     texts(facts.Sources()),
		"as-of":      {"yesterday", "1h ago", "1d ago", "1w ago"},
		"status":     conflictStatuses(),
		"severity":   memory.Severities(),
		"fail-on":    memory.Severities(),
		"verdict":    memory.Verdicts(),
		"policy":     policies(),
	} {
		if _, taken := cmd.GetFlagCompletionFunc(name); cmd.Flags().Lookup(name) != nil && !taken { // --source of a query is another
			completeWith(cmd, name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	for _, name := range []string{"key", "key-prefix", "merge"} {
		if cmd.Flags().Lookup(name) != nil {
			completeWith(cmd, name, func(c *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
				return keysBelow(c.Context(), g, prefix)
			})
		}
	}
}

func completeFormats(cmd *cobra.Command) {
	completeWith(cmd, "format", cobra.FixedCompletions(
		[]string{string(memory.JSONL), string(memory.YAML)}, cobra.ShellCompDirectiveNoFileComp))
}

func completeWith(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the option does not exist: a mistake in this package
	}
}

// completeKeys offers the keys there are for the first most arguments; 0 is no
// limit.
func completeKeys(g *globals, most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return keysBelow(cmd.Context(), g, prefix)
	}
}

// completionTime bounds how long a person at a prompt waits.
const completionTime = 2 * time.Second

// keysBelow offers the next segment of the keys that begin with prefix, and
// with the whole key its claim. It stays silent where there is no memory.
func keysBelow(ctx context.Context, g *globals, prefix string) ([]string, cobra.ShellCompDirective) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	m, _, err := g.open(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer m.Close()
	folder := prefix[:strings.LastIndexByte(prefix, '/')+1]
	result, err := m.List(ctx, memory.ListInput{Prefix: folder})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	var offers []string
	for _, f := range result.Facts {
		key := f.Key.String()
		if !strings.HasPrefix(key, prefix) {
			continue
		}
		offer := key + "\t" + plain(f.Claim)
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
