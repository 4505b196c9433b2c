package events

import (
	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/index/internal/store"
	"engram/internal/terms"
)

// Tail has some events in memory that no session of the Source has yet. Searches finds them
// beside those of the index and scores them in the same way. It is safe for concurrent use.
type Tail struct{ store *store.Store }

// NewTail indexes events. There should be few: every Tail is made
// from scratch.
func NewTail(docs []Doc) (*Tail, error) {
	s, err := store.Open("", store.ForWriting)
	if err != nil {
		return nil, err
	}
	batch, analyzer := bleveapi.NewBatch(), &terms.Analyzer{}
	for _, d := range docs {
		batch.Update(document(analyzer, d))
	}
	if err = s.Write(batch, nil); err == nil {
		err = s.Refresh()
	}
	if err == nil {
		err = s.Detach() // the rest is memory, which the collector frees
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return &Tail{s}, nil
}

// segments are those of a Tail, which may be nil.
func (t *Tail) segments() []store.Segment {
	if t == nil {
		return nil
	}
	return t.store.Segments()
}
