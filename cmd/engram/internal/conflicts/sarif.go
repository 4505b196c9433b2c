package conflicts

import (
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/facts"
	"engram/memory"
)

// SARIF 2.1.0, as far as conflicts need it:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Results    []sarifResult     `json:"results"`
	Properties map[string]string `json:"properties"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
	Full  sarifText `json:"fullDescription"`
	Help  sarifText `json:"help"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   map[string]any    `json:"properties"`
}

type sarifLocation struct {
	ID       int `json:"id,omitempty"`
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
	Message *sarifText `json:"message,omitempty"`
}

// tiers describes every tier, in the order in which they are tried.
func tiers() [][2]string {
	return [][2]string{
		{"tier0_entity", "Two facts of one scope give one thing values that exclude each other"},
		{"tier2_numeric", "Two facts give different numbers for the same"},
		{"tier2_temporal", "Two facts differ in when something holds, or in what stage it is"},
		{"tier2b_cross_scope", "Two facts of different scopes contradict each other by the rules"},
		{"tier1_nli", "A cross-encoder holds that two facts contradict each other"},
		{"tier3_llm", "A language model holds that two facts contradict each other"},
		{"merge", "Two versions of one fact were written in two places at once"},
		{"judged", "Somebody who read both facts says that they contradict each other"},
	}
}

// sarifOf is one result for each conflict, and one rule for each tier. Paths are
// those of the memory branch.
func sarifOf(r memory.CheckResult) sarifLog {
	run := sarifRun{Results: []sarifResult{}, Properties: map[string]string{"revision": r.Revision}}
	run.Tool.Driver = sarifDriver{Name: "engram", Version: app.ThisVersion().Version}
	index := run.addRules("", tiers(), "`engram conflicts ID` shows both facts with their authors, `engram resolve ID` settles the conflict.")
	for _, c := range r.Conflicts {
		a, b := sarifSide(c.KeyA, nil), sarifSide(c.KeyB, &sarifText{"the other side: " + saying(c.KeyB, c.B)})
		b.ID = 1
		run.Results = append(run.Results, sarifResult{
			RuleID: c.Tier, RuleIndex: index[c.Tier], Level: sarifLevel(c.Severity), Message: sarifText{conflictMessage(c.Conflict)},
			Locations: []sarifLocation{a}, Related: []sarifLocation{b},
			Fingerprints: map[string]string{"engramConflict/v1": c.ConflictID},
			Properties:   map[string]any{"severity": c.Severity, "verdict": c.Verdict, "scope": c.Scope, "fails": c.Fails, "recorded": c.Recorded},
		})
	}
	run.addViolations(r.Violations)
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// addRules adds a rule for each pair of name and description, and returns where each is.
func (run *sarifRun) addRules(prefix string, list [][2]string, help string) map[string]int {
	index := make(map[string]int)
	for _, rule := range list {
		index[rule[0]] = len(run.Tool.Driver.Rules)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{prefix + rule[0], sarifText{rule[1]}, sarifText{rule[1] + "."}, sarifText{help}})
	}
	return index
}

func sarifSide(key string, message *sarifText) sarifLocation {
	l := sarifLocation{Message: message}
	l.Physical.Artifact.URI, l.Physical.Region.StartLine = factPath(key), 1
	return l
}

// factPath is where a fact stands on the branch.
func factPath(key string) string {
	if k, err := facts.ParseKey(key); err == nil {
		return k.Path()
	}
	return key
}

func sarifLevel(severity string) string {
	switch severity {
	case show.SeverityHigh:
		return "error"
	case show.SeverityMedium:
		return "warning"
	}
	return "note"
}

// conflictMessage is a conflict in one text, with what both sides say.
func conflictMessage(c memory.Conflict) string {
	return c.Explanation + ". A: " + saying(c.KeyA, c.A) + " B: " + saying(c.KeyB, c.B)
}

func saying(key string, f *memory.Fact) string {
	if f == nil {
		return key + " is gone from the branch."
	}
	return key + " says: " + f.Claim
}
