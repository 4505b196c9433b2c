package score

import "engram/internal/lazyregexp"

// Scope is how far a recall looks (source document 1, §12).
type Scope string

// The scopes, from near to far.
const (
	Run     Scope = "run"     // the session that runs in this work tree
	Project Scope = "project" // all sessions and facts of this repository
	Org     Scope = "org"     // also the facts of other repositories that are sources here
)

// Scopes lists them, from near to far.
func Scopes() []Scope { return []Scope{Run, Project, Org} }

var (
	runRE = lazyregexp.New(`(?i)\b(just (now|did|said|ran|saw|read|wrote|changed|tried|failed)|a moment ago|earlier|this session|so far|(last|previous) (turn|command|output|error|test|run|attempt|message)|(did|have|had|was|were) (i|we|you) (just|already|before)|where (was|were) (i|we))\b`)
	orgRE = lazyregexp.New(`(?i)\b((other|all|across|every|our) (teams?|repos?|repositor(y|ies)|projects|services|products)|compan(y|ies)( |-)?wide|the (company|organi[sz]ation)('s)?|organi[sz]ation-wide|in our (company|organi[sz]ation)|everywhere else)\b`)
)

// RouteOf tells by its words in which scope a question is asked first. Most are about the
// project.
func RouteOf(question string) Scope {
	switch {
	case orgRE.MatchString(question):
		return Org
	case runRE.MatchString(question):
		return Run
	}
	return Project
}

// EnoughShare is the share of a question's words that one passage has to have for a scope to
// answer it, so that the next one is not asked.
const EnoughShare = 0.8
