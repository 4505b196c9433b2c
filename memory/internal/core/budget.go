package core

import (
	"encoding/json"
	"fmt"

	"engram/facts"
)

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
