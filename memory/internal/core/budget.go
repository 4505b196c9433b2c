package core

import (
	"encoding/json"
	"fmt"

	"engram/facts"
)

// CountTokens is what a value takes as JSON.
func CountTokens(value any) (int, error) {
	b, err := json.Marshal(value)
	if err != nil {
		return 0, fmt.Errorf("count tokens: %w", err)
	}
	return facts.Tokens(string(b)), nil
}

// FitBudget is how many of a list, from its beginning, a budget of tokens holds; at
// least one, lest the same question never get further. A budget of 0 holds all.
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
