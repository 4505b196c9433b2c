package main

import (
	"strings"
	"testing"

	"engram/cmd/internal/app"
	"engram/memory"
)

// The fields of a conflict, typed by hand as those of a fact are.
const (
	clashFields = `tier severity verdict score span_a.start span_a.end span_a.text span_b.start span_b.end span_b.text
		explanation`
	openFields    = `conflict_id key scope status recorded fact_id_a fact_id_b key_a key_b basis since ` + clashFields
	settledFields = `conflict_id key scope status recorded fact_id_a fact_id_b key_a key_b since ` + clashFields + `
		resolution_type resolution winning_claim_id resolved_by resolved_by_engineer resolution_evidence`
)

// TestJSONFieldsOfConflicts is TestJSONFields for the commands about conflicts.
func TestJSONFieldsOfConflicts(t *testing.T) {
	repo := testRepo(t)
	commit := func(claim, key, agent string) jsonStep {
		return jsonStep{"commit", "", []string{"commit", claim, "--key", key, "--agent", agent, "--scope", "infra", "--detail", "d",
			"--confidence", "0.5", "--tag", "t", "--pointer", "repo:a.go#L1", "--source", "tool", "--evidence", "e", "--ttl", "P900Y"}, 0,
			strings.Replace(commitFields, "supersedes_fact_id", "warnings[]", 1)}
	}
	fact := strings.Replace(factFields, "supersedes_fact_id", "", 1)
	conflict := openFields + " " + prefixed("a.", fact) + " " + prefixed("b.", fact)
	tips := "schema_version revision "
	begin := jsonStep{"init", "", []string{"init"}, 0, "schema_version revision branch created anonymous_mode anon_agents footprint[].what footprint[].where footprint[].remove"}
	a, b := "The gateway listens on port 8443.", "The gateway listens on port 9443."
	contradicting := commit(b, "domain/infra/b", "codex")
	contradicting.fields += " " + prefixed("contradicts[].", "fact_id key claim grade explanation verdict conflict_id")
	compareFields(t, repo, []jsonStep{
		begin, commit(a, "domain/infra/a", "claude"), contradicting,
		{"conflicts", "", []string{"conflicts"}, 0, tips + "audited_revision unaudited withheld omitted " + prefixed("conflicts[].", conflict)},
		{"audit", "", []string{"audit"}, 0, tips + `from to tiers[] facts pairs known judged asked undecided unreached beyond surplus withheld took_seconds`},
		{"check", "", []string{"check"}, 1, tips + "clean fail_on failing examined counts.high counts.medium counts.low withheld " + prefixed("conflicts[].", "fails "+conflict)},
		{"detect", "", []string{"detect", b, "--scope", "infra", "--key", "domain/infra/b"}, 1, tips + "tiers[] clash " +
			prefixed("clashes[].", clashFields) + " " + prefixed("clashes[].fact.", fact)},
		{"detect against", "", []string{"detect", a, "--against", b}, 1, tips + "tiers[] " + prefixed("clash.", clashFields)},
		{"thresholds", "", []string{"detect", "--show-thresholds"}, 0, tips + "model default high low entail feedback dismissed step"},
	})
	id := strings.Split(runHere("", "--repo", repo, "conflicts").stdout, "\t")[0]
	compareFields(t, repo, []jsonStep{
		{"resolve", "", []string{"resolve", id, "--winner", "a", "--reason", "r", "--agent", "x", "--evidence", "e"}, 0,
			tips + prefixed("results[].", "schema_version revision resolved conflict_id resolution_type winning_claim_id closed[]")},
		{"resolve several", "", []string{"resolve", id, "ffffffff", "--dismiss", "--reason", "r"}, 1, tips + "failed[].conflict_id failed[].problem"},
		{"settled", "", []string{"conflicts", id[:8]}, 0, tips + "audited_revision unaudited withheld omitted " + prefixed("conflicts[].", settledFields) + " " +
			prefixed("conflicts[].a.", fact) + " " + prefixed("conflicts[].b.", fact)},
		{"clean check", "", []string{"check"}, 0, tips + "clean fail_on failing examined counts.high counts.medium counts.low withheld"},
		{"statistics", "", []string{"conflicts", "--stats"}, 0, "schema_version revision unnamed tolerable enough " +
			prefixed("families[].", "family found open settled corrected dismissed judged.contradicts judged.evolves judged.same judged.compatible feedback precision highest likely")},
		{"unknown id", "", []string{"conflicts", "ffffffff"}, 1, "schema_version error.code error.exit_code error.message error.hint"},
	})
}

// TestJSONFieldsOfVerdicts is TestJSONFields for pairs that nobody has judged.
func TestJSONFieldsOfVerdicts(t *testing.T) {
	repo := testRepo(t)
	commit := func(claim, key, agent string) []string {
		return []string{"commit", claim, "--key", key, "--agent", agent, "--scope", "shop", "--detail", "d", "--confidence", "0.5",
			"--tag", "t", "--pointer", "repo:a.go#L1", "--source", "tool", "--evidence", "e", "--ttl", "P900Y"}
	}
	written := strings.Replace(commitFields, "supersedes_fact_id", "warnings[]", 1)
	fact := strings.Replace(factFields, "supersedes_fact_id", "", 1)
	compareFields(t, repo, []jsonStep{
		{"init", "", []string{"init"}, 0, "schema_version revision branch created anonymous_mode anon_agents footprint[].what footprint[].where footprint[].remove"},
		{"commit", "", commit("The checkout service keeps sessions for returning customers.", "domain/shop/one", "ann"), 0, written},
		{"related", "", commit("The checkout service keeps sessions for returning customers in the session store.", "domain/shop/two", "ben"), 0,
			written + " " + prefixed("related[].", "fact_id key claim grade explanation")},
		{"undecided", "", []string{"conflicts", "--undecided"}, 0,
			"schema_version revision more dropped " + prefixed("pairs[].", "grade "+prefixed("a.", fact)+" "+prefixed("b.", fact))},
		{"no statistics", "", []string{"conflicts", "--stats"}, 0, "schema_version revision unnamed tolerable enough"},
		{"judge", "", []string{"judge", "domain/shop/one", "domain/shop/two", "--verdict", "same", "--reason", "r", "--agent", "cleo"}, 0,
			"schema_version revision " + prefixed("judged[].", "a b verdict conflict_id status note")},
	})
}

// TestWordsOfConflicts compares the words that are offered with those that
// package memory takes.
func TestWordsOfConflicts(t *testing.T) {
	repo := testRepo(t)
	runHere("", "--repo", repo, "init")
	for option, words := range map[string][]string{"--status": app.ConflictStatuses(), "--severity": memory.Severities(), "--verdict": memory.Verdicts()} {
		for _, word := range words {
			if r := runHere("", "--repo", repo, "conflicts", option, word); r.status != 0 {
				t.Errorf("%s %s: %s", option, word, r.stderr)
			}
		}
		r := runHere("", "--repo", repo, "conflicts", option, "nonsense")
		if r.status != 2 || !strings.Contains(r.stderr, strings.Join(words[:len(words)-1], ", ")+" or "+words[len(words)-1]) {
			t.Errorf("%s: %d, %s; it should name %v", option, r.status, r.stderr, words)
		}
	}
}
