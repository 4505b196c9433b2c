package rule

// score is how often what the rule found was right, by the rule of succession
// (right + 1 of found + 2), which is modest where little was found. Found and
// right were counted before the last two rounds of tuning, on pairs that the
// rules were made on (the public structured pairs, edits of documentation and
// coding rules, and hand-written pairs):
//
//	slot 2498 of 2498, edit 393 of 394, value 27 of 27, choice 14 of 14, polarity
//	11 of 11, change 5 of 5, denial and restriction 3 of 3 each, duty 2 of 2,
//	order 1 of 1, stage none.
//
// So they order rules and are no probabilities: of hand-written pairs that nobody
// had seen, 23 of 29 that all rules together found were right (docs/detection.md).
func (r rule) score() float64 {
	switch r {
	case bySlot, byEdit:
		return 0.99
	case byValue:
		return 0.97
	case byChoice:
		return 0.94
	case byPolarity:
		return 0.92
	case byChange:
		return 0.86
	case byDenial, byRestriction:
		return 0.8
	case byDuty:
		return 0.75
	case byOrder:
		return 0.67
	case byStage:
		return 0.5
	}
	return 0
}

// rule names what found a clash, for its score and its explanation.
type rule int

const (
	byNothing rule = iota
	bySlot
	byEdit
	byValue
	byChoice
	byPolarity
	byStage
	byChange
	byOrder
	byDenial
	byRestriction
	byDuty
)

// family returns the name of the kind of clash that a rule finds.
func (r rule) family() string {
	switch r {
	case bySlot:
		return "slot"
	case byEdit:
		return "edit"
	case byValue:
		return "value"
	case byChoice:
		return "choice"
	case byPolarity:
		return "denied statement"
	case byStage:
		return "stage"
	case byChange:
		return "change"
	case byOrder:
		return "turned order"
	case byDenial:
		return "denied name"
	case byRestriction:
		return "restriction"
	case byDuty:
		return "duty"
	}
	return "rival"
}
