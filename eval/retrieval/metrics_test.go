package retrieval_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval/retrieval"
)

func TestJudge(t *testing.T) {
	ten := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}
	tests := []struct {
		name             string
		ranked, relevant []string
		want             retrieval.Judged
	}{
		{"first", ten, []string{"a"}, retrieval.Judged{1, 1, 1, 1, 1, 1, 1, 1}},
		{"third", ten, []string{"c"}, retrieval.Judged{0, 1, 1, 0, 1, 1. / 3, 0.5, 3}},
		{"eleventh", ten, []string{"k"}, retrieval.Judged{}},
		{"nothing found", nil, []string{"a"}, retrieval.Judged{}},
		// DCG = 1/log2(2) + 1/log2(5) = 1.43068; ideal = 1 + 1/log2(3) = 1.63093
		{"two of two", ten, []string{"a", "d"}, retrieval.Judged{0.5, 1, 1, 1, 1, 1, 0.87721, 1}},
		{"one of two", ten, []string{"b", "z"}, retrieval.Judged{0, 0.5, 0.5, 0, 1, 0.5, 0.38685, 2}},
		{"twice in the list", []string{"x", "a", "a"}, []string{"a", "b"}, retrieval.Judged{0, 0.5, 0.5, 0, 1, 0.5, 0.38685, 2}},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-5 })
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, retrieval.Judge(tt.ranked, tt.relevant), near); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestBM25 checks a score by hand: two documents of 3 and 5 words, mean 4; cat
// is in both (idf log(1+0.5/2.5)), dog in the first alone (idf log(1+1.5/1.5)).
func TestBM25(t *testing.T) {
	hits := retrieval.SearchBM25([]string{"one", "two"}, []string{"Cat, dog; cat!", "a cat is an animal"}, "CAT dog", 10)
	if len(hits) != 2 || hits[0].Item() != "one" || hits[1].Item() != "two" {
		t.Fatalf("hits are %v", hits)
	}
	idfCat, idfDog := math.Log(1+0.5/2.5), math.Log(2)
	short, long := 1.2*(0.25+0.75*3/4), 1.2*(0.25+0.75*5/4)
	want := []float64{idfCat*2*2.2/(2+short) + idfDog*2.2/(1+short), idfCat * 2.2 / (1 + long)}
	for i, w := range want {
		if got := hits[i].Score(); math.Abs(got-w) > 1e-12 {
			t.Errorf("score %d is %v, want %v", i, got, w)
		}
	}
	if got := retrieval.SearchBM25([]string{"one"}, []string{"cat"}, "bird", 10); len(got) != 0 {
		t.Errorf("a word that no text has finds %v", got)
	}
}

// TestByItem: a group's three best facts count, by 1/rank.
func TestByItem(t *testing.T) {
	tests := []struct {
		name        string
		found, want []string
	}{
		{"one good fact outweighs two middling ones", []string{"a", "b", "c", "c"}, []string{"a", "c", "b"}},
		{"facts that agree outweigh a better one", []string{"a", "b", "b", "b"}, []string{"b", "a"}},
		{"a fourth does not count", []string{"x", "x", "a", "c", "c", "c", "b", "c", "c", "c", "a"}, []string{"x", "c", "a", "b"}},
		{"nothing", nil, nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, retrieval.ByItem(tt.found)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
