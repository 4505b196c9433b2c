package memory_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"engram/internal/fields"
	"engram/memory"
)

// TestInputsSayWhatHolds compares the tags of inputs, which help texts and schemas show,
// with the constants and lists that they speak of.
func TestInputsSayWhatHolds(t *testing.T) {
	field := func(input any, name string) fields.Field { return fields.Of(reflect.TypeOf(input), name)[0] }
	for name, values := range map[string][2][]string{
		"resolutions": {memory.Resolutions(), field(memory.ResolveInput{}, "resolution_type").Enum},
		"statuses":    {append(memory.Statuses(), memory.AllStatuses), field(memory.ConflictsInput{}, "status").Enum},
	} {
		if want, got := slices.Sorted(slices.Values(values[0])), slices.Sorted(slices.Values(values[1])); !slices.Equal(want, got) {
			t.Errorf("%s: the tag has %v, want %v", name, got, want)
		}
	}
	limit, budget := field(memory.QueryInput{}, "limit"), field(memory.QueryInput{}, "budget")
	if got, want := fmt.Sprint(limit.Default, *limit.Max, budget.Default), fmt.Sprint(fmt.Sprint(memory.DefaultLimit), float64(memory.MaxLimit), fmt.Sprint(memory.DefaultBudget)); got != want {
		t.Errorf("a query has the bounds %s, want %s", got, want)
	}
	if got := field(memory.DerefInput{}, "max_tokens").Default; got != fmt.Sprint(memory.DefaultDerefTokens) {
		t.Errorf("an excerpt has %s tokens, want %d", got, memory.DefaultDerefTokens)
	}
}
