package paraphrase_test

import (
	"slices"
	"testing"

	"engram/eval/paraphrase"
)

func TestFunctionWordsAreSorted(t *testing.T) {
	if !slices.IsSorted(paraphrase.FunctionWords) {
		t.Error("the list is searched as sorted, and is not")
	}
}
