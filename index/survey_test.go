package index_test

import (
	"fmt"
	"slices"
	"testing"

	"engram/facts"
	"engram/index"
)

// TestSurveyPages: every page of an index of many segments is a part of the same list.
func TestSurveyPages(t *testing.T) {
	x, m := indexOf(t)
	var want []string
	for round := range 6 {
		var list []facts.Fact
		for i := range 150 {
			key := fmt.Sprintf("domain/c%d/k%d", (i*7+round)%5, i*6+round)
			want = append(want, key)
			list = append(list, fact(t, key, "the cache is cold", 1))
		}
		m.put(list...)
		if _, err := x.CatchUp(t.Context(), m.tip()); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(want)
	const rows = 7
	for offset := 0; offset < len(want)+rows; offset += 3 {
		var got []string
		_, err := x.View(t.Context(), m.tip(), func(v *index.View) error {
			r, err := v.Survey(t.Context(), index.SurveyQuery{Query: index.Query{Now: day(20)}, Offset: offset, Rows: rows})
			if err == nil && r.Total != len(want) {
				err = fmt.Errorf("%d of %d", r.Total, len(want))
			}
			for _, hit := range r.Hits {
				got = append(got, hit.Key.String())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if page := want[min(offset, len(want)):min(offset+rows, len(want))]; !slices.Equal(got, page) {
			t.Fatalf("from %d on: %v, want %v", offset, got, page)
		}
	}
}
