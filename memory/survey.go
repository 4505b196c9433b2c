package memory

import (
	"context"

	"engram/memory/internal/survey"
)

type (
	// SurveyInput narrows a survey.
	SurveyInput = survey.SurveyInput
	// SurveyResult is a page of facts by key, and what there is besides.
	SurveyResult = survey.SurveyResult
	// Facet is how many facts have each value of a property.
	Facet = survey.Facet
	// FacetValue is a value of a facet.
	FacetValue = survey.FacetValue
	// OutlineInput says for whom to outline a memory.
	OutlineInput = survey.OutlineInput
	// OutlineResult is the tree of the scopes of a memory.
	OutlineResult = survey.OutlineResult
	// OutlineScope is a scope and what it holds, the scopes below it included.
	OutlineScope = survey.OutlineScope
	// ActivityInput says for whom to count.
	ActivityInput = survey.ActivityInput
	// ActivityResult is what each agent contributed.
	ActivityResult = survey.ActivityResult
	// AgentActivity is what one agent contributed.
	AgentActivity = survey.AgentActivity
	// TimelineInput names the facts to follow through time.
	TimelineInput = survey.TimelineInput
	// TimelineResult is the versions of some facts, when each held, and who wrote it.
	TimelineResult = survey.TimelineResult
	// TimelineFact is the versions of one key.
	TimelineFact = survey.TimelineFact
	// TimelineVersion is a version and the window in which it held.
	TimelineVersion = survey.TimelineVersion
)

// Words and bounds of surveys.
const (
	AnyState          = survey.AnyState    // a survey of facts in every state
	DefaultSurveyRows = survey.DefaultRows // the facts of a page by default
	MaxSurveyRows     = survey.MaxRows     // the largest number of facts of a page
)

// Survey lists the facts that pass some filters, by key and in pages, and counts them by
// facets, also as of any moment.
func (m *Memory) Survey(ctx context.Context, in SurveyInput) (SurveyResult, error) {
	return m.survey.Survey(ctx, in)
}

// Outline counts the facts of each scope.
func (m *Memory) Outline(ctx context.Context, in OutlineInput) (OutlineResult, error) {
	return m.survey.Outline(ctx, in)
}

// Activity counts what each agent contributed.
func (m *Memory) Activity(ctx context.Context, in ActivityInput) (ActivityResult, error) {
	return m.survey.Activity(ctx, in)
}

// Timeline returns the versions of some facts, when each held, and who wrote it.
func (m *Memory) Timeline(ctx context.Context, in TimelineInput) (TimelineResult, error) {
	return m.survey.Timeline(ctx, in)
}
