package detection

import (
	"math"
	"os"
	"path/filepath"
	"slices"

	"engram/detect"
	"engram/eval/corpus"
)

// The suites of prose pairs: those of a folder of data, and those of the project.
const (
	suiteProse      = "prose"
	suiteProseTrain = "prose-train"
	suiteProseHeld  = "prose-held"
)

// The prose pairs of the project, below its root. The held ones are for scoring: whoever
// reads them cannot tune to the task any more.
const (
	trainFile = "eval/testdata/prose/train.jsonl"
	heldFile  = "eval/testdata/prose/held.jsonl"
)

func loadProse(dir string) (pairSuite, error) {
	return proseSuite(suiteProse, filepath.Join(dir, "nli", "prose_pairs.dev.jsonl"))
}

func loadProseTrain(string) (pairSuite, error) { return proseSuite(suiteProseTrain, rooted(trainFile)) }

func loadProseHeld(string) (pairSuite, error) { return proseSuite(suiteProseHeld, rooted(heldFile)) }

// rooted finds a file of the project from any folder in it.
func rooted(path string) string {
	for range 6 {
		if _, err := os.Stat(path); err == nil {
			break
		}
		path = filepath.Join("..", path)
	}
	return path
}

// proseRecord is a line of a set of prose pairs.
type proseRecord struct {
	ID    string `json:"id"`
	A     string `json:"a"`
	B     string `json:"b"`
	Scope string `json:"scope"`
	Label string `json:"label"`
	Type  string `json:"type"`
}

func proseSuite(name, path string) (pairSuite, error) {
	s := pairSuite{name: name, graded: true, about: "Pairs of claims in plain prose, by what clashes in them and by the length of the longer claim."}
	var records []proseRecord
	if err := corpus.ReadJSONLines(path, &records); err != nil {
		return s, err
	}
	for _, r := range records {
		label := r.Label
		if label == "unrelated-near" {
			label = labelUnrelated
		}
		p := newPair(r.ID, label, r.A, r.B, r.Scope)
		p.subsets = []string{r.Type, lengthOf(r.A, r.B)}
		s.pairs = append(s.pairs, p)
	}
	return s, nil
}

// lengthOf is the class of length of the longer of two claims.
func lengthOf(a, b string) string {
	switch n := max(len(a), len(b)); {
	case n <= 80:
		return "(up to 80 bytes)"
	case n <= 160:
		return "(up to 160 bytes)"
	}
	return "(longer)"
}

// GradeRow says how good one grade, with those above it, is over a subset of pairs.
type GradeRow struct {
	Subset    string  `json:"subset"`
	Grade     string  `json:"grade"`
	Pairs     int     `json:"pairs"`
	Positives int     `json:"positives"`
	Flagged   int     `json:"flagged"`
	Right     int     `json:"right"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	// The intervals that hold with a confidence of 95 % (Wilson's score).
	PrecisionLow  float64 `json:"precision_low"`
	PrecisionHigh float64 `json:"precision_high"`
	RecallLow     float64 `json:"recall_low"`
	RecallHigh    float64 `json:"recall_high"`
}

// CauseRow counts positive pairs that are graded below likely, by why.
type CauseRow struct {
	Cause string `json:"cause"`
	Pairs int    `json:"pairs"`
}

// assessed is a pair with its grade.
type assessed struct {
	labelledPair
	grade  detect.Grade
	family string
}

func assess(pairs []labelledPair) []assessed {
	list := make([]assessed, len(pairs))
	for i, p := range pairs {
		list[i].labelledPair = p
		if f, found := detect.Assess(detect.Read(p.a), detect.Read(p.b)); found {
			list[i].grade, list[i].family = f.Grade, f.Family
		}
	}
	return list
}

// gradeRows sums up by subset and grade.
func gradeRows(list []assessed) []GradeRow {
	subsets := []string{corpus.SubsetAll}
	for _, a := range list {
		for _, s := range a.subsets {
			if !slices.Contains(subsets, s) {
				subsets = append(subsets, s)
			}
		}
	}
	slices.Sort(subsets[1:])
	var rows []GradeRow
	for _, subset := range subsets {
		var sure, likely tally
		for _, a := range list {
			if subset != corpus.SubsetAll && !slices.Contains(a.subsets, subset) {
				continue
			}
			sure.add(a.positive(), a.grade == detect.GradeContradiction)
			likely.add(a.positive(), a.grade == detect.GradeContradiction || a.grade == detect.GradeLikely)
		}
		rows = append(rows, sure.graded(subset, detect.GradeContradiction), likely.graded(subset, detect.GradeLikely))
	}
	return rows
}

func (t tally) graded(subset string, grade detect.Grade) GradeRow {
	r := GradeRow{
		Subset: subset, Grade: string(grade), Pairs: t.pairs, Positives: t.positives, Flagged: t.flagged, Right: t.right,
		Precision: t.precision(), Recall: share(t.right, t.positives),
	}
	r.PrecisionLow, r.PrecisionHigh = interval(t.right, t.flagged)
	r.RecallLow, r.RecallHigh = interval(t.right, t.positives)
	return r
}

// interval returns Wilson's score interval of n in all with a confidence of 95 %.
func interval(n, all int) (low, high float64) {
	if all == 0 {
		return 0, 0
	}
	const z = 1.96
	p, m := float64(n)/float64(all), float64(all)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	width := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(middle-width, 0), min(middle+width, 1)
}

// causeRows counts the missed positive pairs by why they were missed: nothing in common,
// a clash of some family that was not probable enough, or no clash of any family.
func causeRows(list []assessed) []CauseRow {
	counts := make(map[string]int)
	for _, a := range list {
		switch {
		case !a.positive() || a.grade == detect.GradeContradiction || a.grade == detect.GradeLikely:
		case a.grade == "":
			counts["hardly related"]++
		case a.family == "statement":
			counts["no clash read"]++
		default:
			counts["doubtful: "+a.family]++
		}
	}
	rows := []CauseRow{}
	for cause, n := range counts {
		rows = append(rows, CauseRow{cause, n})
	}
	slices.SortFunc(rows, func(a, b CauseRow) int {
		if a.Pairs != b.Pairs {
			return b.Pairs - a.Pairs
		}
		if a.Cause < b.Cause {
			return -1
		}
		return 1
	})
	return rows
}
