package memory

import (
	"context"

	"engram/memory/internal/source"
)

type (
	// PublishInput says which facts another memory is to get.
	PublishInput = source.PublishInput
	// PublishResult says what was published, or would be.
	PublishResult = source.PublishResult
	// SourceInput names another repository's memory that this one is to read.
	SourceInput = source.SourceInput
	// Source is a source as it is configured and was fetched.
	Source = source.Source
	// SourcesResult is a list of sources.
	SourcesResult = source.SourcesResult
	// SourceResult is one source.
	SourceResult = source.SourceResult
	// FetchResult says what a fetch brought.
	FetchResult = source.FetchResult
	// SourceFetch is what a fetch brought of one source.
	SourceFetch = source.SourceFetch
	// RemoveResult says what became of a source.
	RemoveResult = source.RemoveResult
)

const (
	// PublishPresent: it has it, or a newer version
	PublishPresent = source.PublishPresent
	// PublishRefuse: Reason says why
	PublishRefuse = source.PublishRefuse
)

// Publish brings facts of this memory to a source, as they stand here: the same key,
// lineage and id, in one commit on top of what stands there, pushed without force.
func (m *Memory) Publish(ctx context.Context, in PublishInput) (PublishResult, error) {
	return m.source.Publish(ctx, in)
}

// AddSource fetches another repository's memory and makes it a source of this one: a source
// that was never fetched could only be a note below each answer.
func (m *Memory) AddSource(ctx context.Context, in SourceInput) (SourceResult, error) {
	return m.source.AddSource(ctx, in)
}

// Sources lists the sources by name, with what is known of each.
func (m *Memory) Sources(ctx context.Context) (SourcesResult, error) {
	return m.source.Sources(ctx)
}

// FetchSources brings sources up to date, all where none is named.
func (m *Memory) FetchSources(ctx context.Context, names []string) (FetchResult, error) {
	return m.source.FetchSources(ctx, names)
}

// RemoveSource ends a source: its configuration, its reference and all that was derived
// from it.
func (m *Memory) RemoveSource(ctx context.Context, name string) (RemoveResult, error) {
	return m.source.RemoveSource(ctx, name)
}
