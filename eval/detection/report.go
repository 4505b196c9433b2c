package detection

import (
	"time"
)

// Report is what was measured of detection; its JSON is a contract
// like package memory's.
type Report struct {
	SchemaVersion int     `json:"schema_version"`
	Suites        []Suite `json:"suites"`
}

// Suite is what was measured over one set of pairs. A pair is positive
// if its label says that something is wrong between its facts (contradiction,
// evolution), and flagged if the system says so, with any verdict.
type Suite struct {
	Name      string     `json:"name"`
	About     string     `json:"about"`
	Notes     []string   `json:"notes"` // what was omitted of the data, and why
	Pairs     int        `json:"pairs"`
	Positives int        `json:"positives"`
	Rows      []Row      `json:"rows"`
	Labels    []LabelRow `json:"labels"`
	Tiers     []TierRow  `json:"tiers"`
	// Grades and Causes are there for prose alone.
	Grades []GradeRow `json:"grades,omitempty"`
	Causes []CauseRow `json:"causes,omitempty"`
	// Offered is there for the suite of that name alone.
	Offered []OfferedRow `json:"offered,omitempty"`
	Wrong   []WrongPair  `json:"wrong"`
	// P50 and P95 are microseconds for a pair, with both claims to be read.
	P50 float64 `json:"p50_us"`
	P95 float64 `json:"p95_us"`
}

// Row is one system over one subset of the pairs. Shares are between 0
// and 1, and 0 if there is nothing that they are a share of.
type Row struct {
	Subset    string  `json:"subset"`
	System    string  `json:"system"` // engram or naive
	Pairs     int     `json:"pairs"`
	Positives int     `json:"positives"`
	Flagged   int     `json:"flagged"`
	Right     int     `json:"right"` // of the flagged, those that are positive
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	// FalseAlarms are the flagged of 1,000 negative pairs.
	FalseAlarms float64 `json:"false_alarms_per_1000"`
}

// LabelRow says how the pairs of one label were judged.
type LabelRow struct {
	Label    string `json:"label"`
	Positive bool   `json:"positive"`
	Pairs    int    `json:"pairs"`
	// How many pairs were flagged, by engram's verdict.
	Contradiction int `json:"contradiction"`
	Evolution     int `json:"evolution"`
	Ambiguous     int `json:"ambiguous"`
	// Flagged is engram's share of flagged pairs and Naive the baseline's: the
	// recall of a positive label, the false-positive rate of a negative one.
	Flagged float64 `json:"flagged"`
	Naive   float64 `json:"naive"`
	// Agreement is the share of the flagged pairs whose verdict is the label; 0
	// for negative labels, which are not verdicts.
	Agreement float64 `json:"agreement"`
}

// TierRow says what one of engram's tiers found.
type TierRow struct {
	Tier      string  `json:"tier"`
	Flagged   int     `json:"flagged"`
	Right     int     `json:"right"`
	Precision float64 `json:"precision"`
}

// WrongPair is a positive pair that engram missed, or a negative one that it
// flagged. Its facts are included only if Options.Show is set.
type WrongPair struct {
	ID          string     `json:"id"`
	Label       string     `json:"label"`
	Verdict     string     `json:"verdict"` // "" is a miss
	Tier        string     `json:"tier"`
	A           *WrongSide `json:"a,omitempty"`
	B           *WrongSide `json:"b,omitempty"`
	Explanation string     `json:"explanation,omitempty"`
}

// WrongSide is what a pair's judgement can depend on of one of its facts.
type WrongSide struct {
	Claim     string    `json:"claim"`
	Scope     string    `json:"scope"`
	Agent     string    `json:"agent_id"`
	ValidFrom time.Time `json:"valid_from"`
}
