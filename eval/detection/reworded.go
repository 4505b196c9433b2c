package detection

import (
	"regexp"

	"engram/facts"
)

// suiteReworded has the structured pairs with one side in other words.
const suiteReworded = "reworded"

// rewordings are other words for the sentences that the structured pairs are made of.
// The rule for named slots was tuned on them, so that other wordings will
// score lower.
func rewordings() []rewording {
	of := func(pattern, with string) rewording { return rewording{regexp.MustCompile(pattern), with} }
	return []rewording{
		of(`^(\S+) depends on (\S+) at version (\S+)\.$`, "The go.mod of $1 pins $2 to $3."),
		of(`^(KEP-\d+) \((.+)\) has latest milestone (\S+)\.$`, "$3 is the most recent milestone of $1, $2."),
		of(`^(KEP-\d+) \((.+)\) is at stage (\S+)\.$`, "$2 ($1) has reached the $3 stage."),
		of(`^(KEP-\d+) \((.+)\) has status (\S+)\.$`, "According to the tracker the status of $1 is $3."),
		of(`^(KEP-\d+) \((.+)\) targets (\S+) in release (\S+)\.$`, "For $1, $3 is planned in release $4."),
		of(`^(KEP-\d+) \((.+)\) is guarded by feature gate (\S+)\.$`, "$3 is the feature gate for $1 ($2)."),
		of(`^(KEP-\d+) \((.+)\) is owned by (\S+)\.$`, "The owner of $1 ($2) is $3."),
		of(`^Property (\S+) defaults to (.+)\.$`, "If it isn't configured, $1 has the default value $2."),
	}
}

type rewording struct {
	pattern *regexp.Regexp
	with    string
}

// loadReworded puts the second claim of each structured pair in other words, and leaves
// out the pairs for which there are none.
func loadReworded(dir string) (pairSuite, error) {
	s, err := loadStructured(dir)
	if err != nil {
		return s, err
	}
	s.name, s.graded = suiteReworded, true
	s.about = "The structured pairs with the second sentence in other words."
	all := s.pairs
	s.pairs = nil
	for _, p := range all {
		if claim, ok := reworded(p.b.Claim); ok {
			p.b.Claim = facts.FoldSpace(claim)
			s.pairs = append(s.pairs, p)
		}
	}
	return s, nil
}

func reworded(claim string) (string, bool) {
	for _, r := range rewordings() {
		if r.pattern.MatchString(claim) {
			return r.pattern.ReplaceAllString(claim, r.with), true
		}
	}
	return "", false
}
