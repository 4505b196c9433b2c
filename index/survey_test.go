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

// TestNewestIsTheSameAfterASurvey: a survey keeps the order of beginnings, and a question without
// words is answered by it as it was answered before.
func TestNewestIsTheSameAfterASurvey(t *testing.T) {
	x, m := indexOf(t)
	for round := range 4 {
		var list []facts.Fact
		for i := range 60 {
			f := fact(t, fmt.Sprintf("domain/c%d/k%d", i%3, (i*7+round*31)%200), fmt.Sprintf("the cache %d is cold", round), 1+(i+round)%9)
			if i%11 == 0 {
				f.ValidUntil = day(15)
			}
			list = append(list, f)
		}
		m.put(list...)
		if _, err := x.CatchUp(t.Context(), m.tip()); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(q index.Query) (got []string, all int) {
		_, err := x.View(t.Context(), m.tip(), func(v *index.View) error {
			hits, total, err := v.Search(t.Context(), q)
			got, all = nil, total
			for _, h := range hits {
				got = append(got, h.Key.String())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return got, all
	}
	var questions []index.Query
	for _, limit := range []int{1, 5, 300} {
		for _, at := range []int{3, 10, 20} {
			questions = append(questions, index.Query{All: true, Limit: limit, Now: day(at)}, index.Query{KeyPrefix: "domain/c1", Limit: limit, Now: day(at)})
		}
	}
	type answer struct {
		keys  []string
		total int
	}
	var before []answer
	for _, q := range questions {
		keys, total := ask(q)
		before = append(before, answer{keys, total})
	}
	_, err := x.View(t.Context(), m.tip(), func(v *index.View) error {
		_, err := v.Survey(t.Context(), index.SurveyQuery{Query: index.Query{Now: day(20)}, Rows: 1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		if keys, total := ask(q); total != before[i].total || !slices.Equal(keys, before[i].keys) || total == 0 {
			t.Errorf("%+v: %d %v, before the survey %d %v", q, total, keys, before[i].total, before[i].keys)
		}
	}
}
