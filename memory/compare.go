package memory

import (
	"engram/facts"
	"engram/memory/internal/compare"
)

type (
	// Tag is a part of a text that a model takes for a name.
	Tag = compare.Tag
)

const (
	DefaultNLIBudget = compare.DefaultNLIBudget
)

// Compare holds two facts against each other by rules alone: tiers 0, 2 and 2b.
func Compare(a, b facts.Fact) (Clash, bool) {
	return compare.Compare(a, b)
}

// Tiers names every tier, in the order in which they are tried.
func Tiers() []string {
	return compare.Tiers()
}

// Statuses names every status of a conflict.
func Statuses() []string {
	return compare.Statuses()
}

// Severities names every severity, the gravest first.
func Severities() []string {
	return compare.Severities()
}

// Verdicts names every verdict.
func Verdicts() []string {
	return compare.Verdicts()
}

// Resolutions names every way to settle a conflict.
func Resolutions() []string {
	return compare.Resolutions()
}
