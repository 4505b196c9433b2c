package facts_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/facts"
)

const (
	day1 = "2026-01-01"
	day2 = "2026-01-02"
	day3 = "2026-01-03"
	day4 = "2026-01-04"
)

func window(from, until string) facts.Window {
	w := facts.Window{From: at(from)}
	if until != "" {
		w.Until = at(until)
	}
	return w
}

func TestWindow(t *testing.T) {
	ms := time.Millisecond
	for _, tt := range []struct {
		w       facts.Window
		in, out []time.Time
		empty   bool
	}{
		{w: window(day2, ""), in: []time.Time{at(day2), at(day4)}, out: []time.Time{at(day2).Add(-ms)}},
		{w: window(day2, day3), in: []time.Time{at(day2), at(day3).Add(-ms)}, out: []time.Time{at(day1), at(day3), at(day4)}},
		{w: window(day2, day2), out: []time.Time{at(day1), at(day2), at(day3)}, empty: true},
		{w: window(day3, day2), out: []time.Time{at(day1), at(day2), at(day3), at(day4)}, empty: true},
	} {
		for _, moment := range tt.in {
			if !tt.w.Contains(moment) {
				t.Errorf("%v does not contain %v", tt.w, moment)
			}
		}
		for _, moment := range tt.out {
			if tt.w.Contains(moment) {
				t.Errorf("%v contains %v", tt.w, moment)
			}
		}
		if tt.w.Empty() != tt.empty {
			t.Errorf("%v: Empty is %v", tt.w, tt.w.Empty())
		}
	}
}

func retirement(id, of, from, until string) facts.Fact {
	return facts.Fact{ID: id, Supersedes: of, Operation: facts.OpDelete, ValidFrom: at(from), ValidUntil: at(until)}
}

func TestFactWindowAndState(t *testing.T) {
	for name, tt := range map[string]struct {
		fact facts.Fact
		want facts.Window
		at   map[string]facts.State
	}{
		"open": {
			facts.Fact{ValidFrom: at(day2)}, window(day2, ""),
			map[string]facts.State{day1: facts.Scheduled, day2: facts.Current, "9999-12-31": facts.Current},
		},
		"written by a clock ahead of the reader's": {
			facts.Fact{ValidFrom: at(day2), Provenance: facts.Provenance{CreatedAt: at(day2)}}, window(day2, ""),
			map[string]facts.State{day1: facts.Current, day2: facts.Current},
		},
		"ttl": {
			facts.Fact{ValidFrom: at(day2), TTL: "P1D"}, window(day2, day3),
			map[string]facts.State{day1: facts.Scheduled, day2: facts.Current, day3: facts.Expired},
		},
		"bad ttl": {
			facts.Fact{ValidFrom: at(day2), TTL: "soon"}, window(day2, ""),
			map[string]facts.State{day4: facts.Current},
		},
		"closed": {
			facts.Fact{ValidFrom: at(day2), ValidUntil: at(day3), Operation: facts.OpUpdate}, window(day2, day3),
			map[string]facts.State{day2: facts.Current, day3: facts.Superseded},
		},
		"closed before its ttl": {
			facts.Fact{ValidFrom: at(day2), ValidUntil: at(day3), TTL: "P9D"}, window(day2, day3),
			map[string]facts.State{day3: facts.Superseded},
		},
		"retired": {
			facts.Fact{ValidFrom: at(day2), ValidUntil: at(day3), Operation: facts.OpDelete}, window(day2, day3),
			map[string]facts.State{day1: facts.Retired, day2: facts.Retired, day3: facts.Retired},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.fact.Window()); diff != "" {
				t.Error(diff)
			}
			for moment, want := range tt.at {
				if got := tt.fact.StateAt(at(moment)); got != want {
					t.Errorf("at %s it is %s, want %s", moment, got, want)
				}
			}
		})
	}
}

func TestTimeline(t *testing.T) {
	v := func(id, from, until string) facts.Fact {
		f := facts.Fact{ID: id, ValidFrom: at(from)}
		if until != "" {
			f.ValidUntil = at(until)
		}
		return f
	}
	ttl := v("1", day1, "")
	ttl.TTL = "P1D"
	for name, tt := range map[string]struct {
		versions []facts.Fact
		tip      int
		want     []facts.Window
	}{
		"none":             {nil, -1, []facts.Window{}},
		"one":              {[]facts.Fact{v("1", day1, "")}, 0, []facts.Window{window(day1, "")}},
		"updates":          {[]facts.Fact{v("1", day1, ""), v("2", day2, ""), v("3", day3, "")}, 2, []facts.Window{window(day1, day2), window(day2, day3), window(day3, "")}},
		"no tip":           {[]facts.Fact{v("1", day1, ""), v("2", day2, "")}, -1, []facts.Window{window(day1, day2), window(day2, "")}},
		"a gap stays":      {[]facts.Fact{v("1", day1, day2), v("2", day3, "")}, 1, []facts.Window{window(day1, day2), window(day3, "")}},
		"ttl passes first": {[]facts.Fact{ttl, v("2", day4, "")}, 1, []facts.Window{window(day1, day2), window(day4, "")}},
		"retire closes":    {[]facts.Fact{v("1", day1, ""), v("1", day1, day3)}, 1, []facts.Window{window(day1, day1), window(day1, day3)}},
		"retire closes, new id": {
			[]facts.Fact{v("1", day1, ""), v("2", day2, ""), v("3", day2, day3)}, 2,
			[]facts.Window{window(day1, day2), window(day2, day2), window(day2, day3)},
		},
		"a retirement ends the version it names": {
			[]facts.Fact{v("1", day1, ""), retirement("2", "1", day1, day3)}, 1,
			[]facts.Window{window(day1, day3), window(day3, day3)},
		},
		"a retirement and a new beginning": {
			[]facts.Fact{v("1", day1, ""), retirement("2", "1", day1, day2), v("3", day3, "")}, 2,
			[]facts.Window{window(day1, day2), window(day2, day2), window(day3, "")},
		},
		"a retirement of what nobody knows": {
			[]facts.Fact{retirement("2", "1", day1, day3)}, 0, []facts.Window{window(day1, day3)},
		},
		"tip has the last word": { // v1 was put back after v2
			[]facts.Fact{v("1", day1, ""), v("2", day2, "")}, 0,
			[]facts.Window{window(day1, ""), window(day2, day2)},
		},
		"an earlier tip ends later ones": {
			[]facts.Fact{v("1", day1, ""), v("2", day2, ""), v("3", day3, "")}, 1,
			[]facts.Window{window(day1, day2), window(day2, ""), window(day3, day3)},
		},
		"same moment": {
			[]facts.Fact{v("2", day1, ""), v("1", day1, "")}, 0,
			[]facts.Window{window(day1, ""), window(day1, day1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, facts.Timeline(tt.versions, tt.tip)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// At every moment at most one version holds, whatever the order in which the
// versions are given; and where no tip is named, the order changes nothing.
func TestTimelineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		versions := rapid.SliceOfN(rapid.Custom(genVersion), 1, 6).Draw(t, "versions")
		tip := rapid.IntRange(-1, len(versions)-1).Draw(t, "tip")
		windows := facts.Timeline(versions, tip)

		moved := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Perm(len(versions))
		shuffled, movedTip := make([]facts.Fact, len(versions)), -1
		for to, from := range moved {
			shuffled[to] = versions[from]
			if from == tip {
				movedTip = to
			}
		}
		again := facts.Timeline(shuffled, movedTip)
		for to, from := range moved {
			same := 0 // equal versions may swap their windows
			for i := range versions {
				if facts.Compare(versions[i], versions[from]) == 0 {
					same++
				}
			}
			if same == 1 && again[to] != windows[from] {
				t.Fatalf("version %d has the window %v in one order and %v in another", from, windows[from], again[to])
			}
		}
		for day := range 8 {
			moment, holding := at(day1).AddDate(0, 0, day), 0
			for _, w := range windows {
				if w.Contains(moment) {
					holding++
				}
			}
			if holding > 1 {
				t.Fatalf("%d versions hold on day %d: %v", holding, day, windows)
			}
		}
		if tip >= 0 && windows[tip] != versions[tip].Window() && !windows[tip].Empty() {
			t.Fatalf("the tip's window is %v, not its own %v", windows[tip], versions[tip].Window())
		}
	})
}

func TestCompareIsATotalOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := genVersion(t), genVersion(t), genVersion(t)
		if facts.Compare(a, b) != -facts.Compare(b, a) {
			t.Fatal("not antisymmetric")
		}
		if (facts.Compare(a, b) == 0) != (string(facts.Marshal(a)) == string(facts.Marshal(b))) {
			t.Fatal("0 does not mean the same bytes")
		}
		if facts.Compare(a, b) <= 0 && facts.Compare(b, c) <= 0 && facts.Compare(a, c) > 0 {
			t.Fatal("not transitive")
		}
	})
}
