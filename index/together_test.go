package index_test

import (
	"testing"

	"engram/facts"
	"engram/index"
)

// TestTogether: the best of an index that has little to say does not come before
// the second best of one that has more.
func TestTogether(t *testing.T) {
	hit := func(id string, rank int, score, best float64) index.Ranked {
		return index.Ranked{
			Hit:    index.Hit{Key: facts.Key{Namespace: "tool", Category: "x", Identifier: id}},
			Places: []index.Placed{{Signal: index.Words, Rank: rank, Score: score, Best: best}},
			Parts:  index.Parts{Durability: 1},
		}
	}
	rich := &index.Answer{Active: []index.Signal{index.Words}, Hits: []index.Ranked{hit("first", 1, 10, 10), hit("second", 2, 9, 10)}}
	poor := &index.Answer{Active: []index.Signal{index.Words}, Hits: []index.Ranked{hit("poor", 1, 2, 2)}}
	before := rich.Hits
	for range 2 { // once more changes nothing
		index.Together([]*index.Answer{rich, poor}, index.Weights{})
		if rich.Hits[0].Score != 1 || rich.Hits[1].Score <= poor.Hits[0].Score || poor.Hits[0].Score <= 0 {
			t.Errorf("scores %v, %v, %v", rich.Hits[0].Score, rich.Hits[1].Score, poor.Hits[0].Score)
		}
	}
	if before[0].Score != 0 {
		t.Error("it changed hits that others may hold")
	}
	// A signal that found something in one index counts for the other.
	poor.Active = append(poor.Active, index.Entities)
	index.Together([]*index.Answer{rich, poor}, index.Weights{})
	if rich.Hits[0].Score >= 1 {
		t.Errorf("score %v", rich.Hits[0].Score)
	}
}
