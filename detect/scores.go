package detect

// score is how often what the rule found was right, by the rule of succession
// (right + 1 of found + 2), which is modest where little was found. Found and
// right are those of labelled pairs (TestMeasureCompare, November 2026: the public
// structured pairs, edits of documentation and coding rules, and the open half of
// fixtures/pairs):
//
//	slot 2522 of 2522, edit 375 of 376, value 17 of 17, polarity 14 of 14,
//	change 9 of 9, choice 4 of 4, order, denial and restriction 2 of 2 each,
//	stage none.
//
// In sentences of long documents, which are no facts, polarity is wrong more
// often; TestMeasureCompare counts what is found in random pairs of those.
func (r rule) score() float64 {
	switch r {
	case bySlot, byEdit:
		return 0.99
	case byValue:
		return 0.95
	case byPolarity:
		return 0.94
	case byChange:
		return 0.91
	case byChoice:
		return 0.83
	case byOrder, byDenial, byRestriction:
		return 0.75
	case byStage:
		return 0.5
	}
	return 0
}
