package entity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"engram/detect/entity"
)

func TestTagged(t *testing.T) {
	text := "Ledger Core runs on Postgres; Ada looks after it."
	tags := []entity.Tag{
		{"SERVICE", 0, 11},
		{"PRODUCT", 20, 28}, // the rules know it
		{"PER", 30, 33},
		{"ORG", -1, 4}, {"ORG", 40, 400}, {"ORG", 5, 5}, // no parts of the text
	}
	want := []entity.Entity{{Type: entity.Service, Name: "ledger_core", Start: 0, End: 11}}
	if diff := cmp.Diff(want, entity.Tagged(text, tags), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}
