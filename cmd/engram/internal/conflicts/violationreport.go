package conflicts

import (
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/term"
	"engram/memory"
)

// printViolations prints what went past the policy. In a pipe each is a row that
// begins with its name, because other rows are printed too.
func printViolations(out *term.Streams, list []memory.Violation) {
	for _, v := range list {
		if !out.Terminal {
			out.Row("violation", v.Kind, v.Key, v.Agent, v.Engineer, v.Revision, v.Message)
			continue
		}
		out.Printf("%s  %s  %s\n", out.Color.Red("violation"), out.Color.Bold(v.Kind), term.Indented(term.Plain(v.Message), out.Width, "  "))
		commit := term.Either(v.Revision != "", "commit "+term.Short(v.Revision), "")
		out.Printf("  %s\n\n", out.Color.Dim(term.Indented(term.Dotted(v.Key, v.Agent, show.NameOf(v.Engineer), commit, term.Ago(out.Now(), v.At)), out.Width, "  ")))
	}
}

// violationKinds describes every kind of violation, as tiers does with tiers.
func violationKinds() [][2]string {
	return [][2]string{
		{memory.ViolatesPermission, "An agent wrote a fact of a scope that engram.yml does not let it write"},
		{memory.ViolatesRate, "An agent wrote more often in an hour than engram.yml lets it"},
		{memory.ViolatesSignature, "A commit has no good signature although engram.yml wants one"},
	}
}

// addViolations adds a result for each, and the rules that they need.
func (run *sarifRun) addViolations(list []memory.Violation) {
	if len(list) == 0 {
		return
	}
	index := run.addRules("policy_", violationKinds(), "`engram policy` shows what the team agreed on, docs/policy.md what can be done.")
	for _, v := range list {
		place := sarifSide(v.Key, nil)
		if v.Key == "" {
			place.Physical.Artifact.URI = "engram.yml"
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: "policy_" + v.Kind, RuleIndex: index[v.Kind], Level: "error", Message: sarifText{v.Message},
			Locations: []sarifLocation{place}, Related: []sarifLocation{},
			Fingerprints: map[string]string{"engramViolation/v1": v.Kind + " " + v.Key + " " + v.Agent + " " + v.Revision},
			Properties:   map[string]any{"agent": v.Agent, "engineer": v.Engineer, "revision": v.Revision, "fails": true},
		})
	}
}

// addViolations adds a failing test for each.
func (suite *junitSuite) addViolations(list []memory.Violation) {
	for _, v := range list {
		suite.Failures++
		suite.Cases = append(suite.Cases, junitCase{
			Class: "engram.policy_" + v.Kind, Name: term.Dotted(v.Message, v.Key, term.Short(v.Revision)),
			Failure: &junitFailure{v.Message, v.Kind, term.Dotted(v.Message, v.Key, v.Agent, v.Engineer, v.Revision)},
		})
	}
}
