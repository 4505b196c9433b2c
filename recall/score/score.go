// Package score decides what a recall returns: how well a candidate answers, given the
// task that is at work, and which candidates fit into a budget of tokens without saying
// the same twice. It is pure.
//
// The formulas are those of source document 5, §5.2 and Annex A.2b and A.3.
package score

import (
	"math"
	"time"
)

// Type says what a candidate is, for the salience by phase and the quotas.
type Type string

// The types.
const (
	ToolResult Type = "tool_result"
	ToolCall   Type = "tool_call"
	Dialogue   Type = "dialogue"
	Decision   Type = "decision"
	Constraint Type = "constraint"
	Mistake    Type = "mistake"
	Success    Type = "success"
	Lesson     Type = "lesson"
	Fact       Type = "fact"
	View       Type = "view" // an episode or a topic
	Note       Type = "note"
)

// Phase is the phase of a task; "" is unknown.
type Phase string

// The phases.
const (
	Planning  Phase = "planning"
	Building  Phase = "building"
	Debugging Phase = "debugging"
	Reviewing Phase = "reviewing"
	Operating Phase = "operating"
)

// List is one of the lists that candidates come from.
type List string

// The lists.
const (
	Words   List = "words"   // BM25
	Vectors List = "vectors" // cosine
	Exact   List = "exact"   // every exact string of a query
	Key     List = "key"     // key events of the task
	Facts   List = "facts"
	Views   List = "views"
)

// Candidate is something that may be returned.
type Candidate struct {
	ID   string // its pointer
	Type Type
	Task string // "" is unknown
	// Premise is the version of the premises it was made under; "" is unknown.
	Premise    string
	Superseded bool
	At         time.Time
	// Strength is how strong it is on each list, 0 to 1: its score by that of the best.
	Strength map[List]float64
	// Rank is its place on each list, from 1.
	Rank   map[List]int
	Text   string
	Tokens int // of Text and what is printed around it
}

// Task is what is known of the task that asks. The zero value knows nothing.
type Task struct {
	ID       string
	Phase    Phase
	Premises []string // the versions that hold
	// SelfAssessment: the task will judge itself, so mistakes, successes and lessons count twice.
	SelfAssessment bool
	// Historical: what was superseded is wanted as well.
	Historical bool
	// OneTask leaves out what other tasks produced.
	OneTask bool
}

// Omit names factors to leave out, to measure what each is worth.
type Omit struct{ Premise, Phase, Supersession, Task bool }

// Factors say how a score came about: Score is Base × Modifier, and Modifier is the product
// of the others, at least 3 for a constraint, and at most 5.
type Factors struct {
	Base         float64 `json:"base"`
	Premise      float64 `json:"premise"`
	Phase        float64 `json:"phase"`
	Supersession float64 `json:"supersession"`
	Task         float64 `json:"task"`
	Need         float64 `json:"need"`
	Modifier     float64 `json:"modifier"`
	Score        float64 `json:"score"`
}

const (
	otherTask       = 0.5 // decay of what another task produced
	otherPremise    = 0.3 // of what was made under premises that no longer hold
	superseded      = 0.1 // Annex A.3, line 6
	needed          = 2   // Annex A.3, line 12
	leastConstraint = 3   // Annex A.3, line 15
	most            = 5   // M_MAX of Annex A.3

	// rankConstant is k of reciprocal rank fusion, by its authors 60.
	rankConstant = 60
	// byRank is the share of the base that ranks decide; the rest is strength.
	byRank = 0.3
	// exactBonus puts what has the exact strings of a query before all that has not, whatever
	// the modifier: the base is at most 1 without it, and a modifier is within 0.003 and 5.
	exactBonus = 10
)

// weights are what a list counts in the base.
var weights = map[List]float64{Words: 1, Vectors: 1, Facts: 0.8, Views: 0.8, Key: 0.35}

// salience is the weight of a type in a phase, within [0.1, 2] (§5.2); what is not in the
// table is 1. While somebody plans, decisions count; while somebody looks for a fault, what tools
// printed does.
var salience = map[Phase]map[Type]float64{
	Planning:  {Decision: 2, Constraint: 2, Lesson: 1.5, View: 1.3, Fact: 1.3, ToolResult: 0.6, ToolCall: 0.5},
	Building:  {Decision: 1.3, Constraint: 1.5, Fact: 1.2, Mistake: 0.7},
	Debugging: {ToolResult: 1.6, ToolCall: 1.2, Mistake: 1.6, Lesson: 1.5, Decision: 0.8, View: 0.7},
	Reviewing: {Decision: 1.5, Mistake: 1.5, Success: 1.3, Lesson: 1.5, ToolResult: 0.8, ToolCall: 0.8},
	Operating: {Fact: 1.5, ToolResult: 1.2, Lesson: 1.3, Decision: 0.8},
}

// Of scores a candidate.
func Of(c Candidate, t Task, omit Omit) Factors {
	f := Factors{Base: base(c), Premise: 1, Phase: 1, Supersession: 1, Task: 1, Need: 1}
	if !omit.Task && t.ID != "" && c.Task != "" && c.Task != t.ID {
		f.Task = otherTask
		if t.OneTask {
			f.Task = 0
		}
	}
	if !omit.Supersession && c.Superseded && !t.Historical {
		f.Supersession = superseded
	}
	if !omit.Premise {
		f.Premise = premise(c.Premise, t.Premises)
	}
	if weight, ok := salience[t.Phase][c.Type]; ok && !omit.Phase {
		f.Phase = weight
	}
	if t.SelfAssessment && (c.Type == Mistake || c.Type == Success || c.Type == Lesson) {
		f.Need = needed
	}
	f.Modifier = f.Task * f.Supersession * f.Premise * f.Phase * f.Need
	if c.Type == Constraint && f.Task > 0 {
		f.Modifier = max(f.Modifier, leastConstraint)
	}
	f.Modifier = min(f.Modifier, most)
	f.Score = f.Base * f.Modifier
	if f.Modifier > 0 && c.Strength[Exact] > 0 {
		f.Score += exactBonus * c.Strength[Exact]
	}
	return f
}

// base is how well a candidate answers the query, whoever asks: over the lists, the weighted
// maximum of its strengths, and its fused ranks.
func base(c Candidate) float64 {
	strongest, fused := 0.0, 0.0
	for list, strength := range c.Strength {
		strongest = max(strongest, weights[list]*min(strength, 1))
	}
	for list, rank := range c.Rank {
		fused += weights[list] * (rankConstant + 1) / float64(rankConstant+rank)
	}
	fused /= weights[Words] + weights[Vectors]
	return (1-byRank)*strongest + byRank*math.Min(1, fused)
}

// premise says how far a candidate's premises agree with those that hold.
func premise(of string, hold []string) float64 {
	if of == "" || len(hold) == 0 {
		return 1
	}
	for _, version := range hold {
		if version == of {
			return 1
		}
	}
	return otherPremise
}
