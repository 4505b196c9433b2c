package core

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"engram/facts"
)

// Plural is a count with its noun: "1 commit", "3 commits".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// JoinOr lists choices: "a, b or c".
func JoinOr[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// ShortCommit is the first twelve digits of a commit.
func ShortCommit(commit string) string { return commit[:min(len(commit), 12)] }

// TrimWildcard removes a final * or /* from a topic path, which always includes what is
// below it.
func TrimWildcard(scope string) string {
	return strings.TrimSuffix(strings.TrimSuffix(scope, "*"), "/")
}

// WithParentFolders returns files and all folders above them.
func WithParentFolders(files []string) []string {
	seen := make(map[string]bool)
	var all []string
	for _, f := range files {
		for p := path.Clean(f); p != "." && p != "/" && !seen[p]; p = path.Dir(p) {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// CheckOneOf rejects a value that is not allowed, with an ErrUsage; "" is allowed.
func CheckOneOf[T ~string](name string, value T, allowed []T) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return UsageErrorf(DidYouMean(string(value), allowed), "%s %.40q is not one of %s", name, value, JoinOr(allowed))
}

// CountTokens is how many tokens a value takes as JSON.
func CountTokens(value any) (int, error) {
	b, err := json.Marshal(value)
	if err != nil {
		return 0, fmt.Errorf("count tokens: %w", err)
	}
	return facts.Tokens(string(b)), nil
}

// FitBudget is how many items of a list, from its beginning, fit a budget of tokens; at
// least one, so that repeated questions make progress. A budget of 0 fits all.
func FitBudget[T any](list []T, budget int) (int, error) {
	if budget < 0 {
		return 0, UsageErrorf(BudgetHint, "a budget of %d tokens holds nothing", budget)
	}
	for i, taken := 0, 0; budget > 0 && i < len(list); i++ {
		cost, err := CountTokens(list[i])
		if err != nil {
			return 0, err
		}
		if taken += cost; taken > budget && i > 0 {
			return i, nil
		}
	}
	return len(list), nil
}
