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
)

const (
	AnyState = survey.AnyState // a survey of facts in every state
)

// Survey lists the facts that pass some filters, by key and in pages, and counts them by
// facets, also as of any moment.
func (m *Memory) Survey(ctx context.Context, in SurveyInput) (SurveyResult, error) {
	return m.survey.Survey(ctx, in)
}
