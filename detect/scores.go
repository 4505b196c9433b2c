package detect

// score is how often what the rule found was right, by the rule of succession
// (right + 1 of found + 2), which is modest where little was found. Found and
// right are those of labelled pairs (TestMeasureCompare, November 2026: the public
// structured pairs, edits of documentation and coding rules, and the open half of
// fixtures/pairs):
//
//	slot 2498 of 2498, edit 393 of 394, value 27 of 27, choice 14 of 14, polarity
//	11 of 11, change 5 of 5, denial and restriction 3 of 3 each, duty 2 of 2,
//	order 1 of 1, stage none.
//
// In sentences of long documents, which are no facts, all but the first two are
// wrong more often; eval audit counts what is found between near neighbours there.
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
