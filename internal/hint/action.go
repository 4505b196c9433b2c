package hint

import "strings"

// Action is something that a hint advises to do.
type Action int

// The actions. A comment names the arguments of those that have some.
const (
	Query Action = iota
	ListFacts
	Commit
	ShowLog // a key
	ShowCommits
	Lint
	LintKey // a key
	Verify
	ListConflicts
	ListAllConflicts
	Resolve
	ListProposals
	ShowPolicy
	Init
	FetchMemory
	Sync // a remote
	Watch
	Invite
	ListInvitations
	ListSources
	RemoveSource // a name
	Publish
	ReadPointer
	ListGrants
	IssueGrant
	RevokeGrant // an id
	ShowTurn    // an agent
	ShowMessageForm
	ValidateMessage
	ShareBrief          // a goal and an agent
	DelegateTask        // a key, an agent and a task
	ReportResult        // a key and a result
	WhyLines            // a file with lines
	Help                // a topic or a command
	Git                 // a command of git, without the word git
	actions      Action = iota
)

// commands has the command for each action, with a %s for each of its arguments.
var commands = [actions]string{
	Query:            "engram query",
	ListFacts:        "engram list",
	Commit:           "engram commit",
	ShowLog:          "engram log %s",
	ShowCommits:      "engram log",
	Lint:             "engram lint",
	LintKey:          "engram lint --fix-suggestions %s",
	Verify:           "engram verify",
	ListConflicts:    "engram conflicts",
	ListAllConflicts: "engram conflicts --status all",
	Resolve:          "engram resolve",
	ListProposals:    "engram review --list",
	ShowPolicy:       "engram policy",
	Init:             "engram init",
	FetchMemory:      "git fetch origin engram:engram",
	Sync:             "engram sync %s",
	Watch:            "engram watch",
	Invite:           "engram invite",
	ListInvitations:  "engram invite list",
	ListSources:      "engram source list",
	RemoveSource:     "engram source rm %s",
	Publish:          "engram publish",
	ReadPointer:      "engram deref",
	ListGrants:       "engram bus grants",
	IssueGrant:       "engram bus grant",
	RevokeGrant:      "engram bus revoke %s",
	ShowTurn:         "engram bus turn --agent %s",
	ShowMessageForm:  "engram bus schema",
	ValidateMessage:  "engram bus validate",
	ShareBrief:       `engram brief --goal "%s" --to %s`,
	DelegateTask:     `engram bus task %s --to %s "%s"`,
	ReportResult:     `engram bus result %s "%s"`,
	WhyLines:         "engram why %s",
	Help:             "engram help %s",
	Git:              "git %s",
}

// Command is what a person runs for an action, with a %s for each argument.
func (a Action) Command() string { return commands[a] }

// Field is a field of a request, by its name in the JSON contract.
type Field string

// The fields that hints name.
const (
	Limit        Field = "limit"
	Budget       Field = "budget"
	MaxTokens    Field = "max_tokens"
	K            Field = "k"
	Keys         Field = "keys"
	Text         Field = "text"
	Near         Field = "near"
	Branch       Field = "branch"
	MemoryBranch Field = "memory"
	SkipInvalid  Field = "skip_invalid"
	SkipRefused  Field = "skip_refused"
	Replace      Field = "replace"
	Prefix       Field = "prefix"
	Reason       Field = "reason"
	Resolution   Field = "resolution"
	Winner       Field = "winning_claim_id"
	MergedClaim  Field = "merged_claim"
	MergedKey    Field = "merged_key"
)

// flag is the flag of a field: its name, but for these.
func flag(f Field) string {
	switch f {
	case Resolution:
		return "--reason"
	case Winner:
		return "--winner"
	case MergedClaim:
		return "--merge-claim"
	case MergedKey:
		return "--merge"
	case K, Keys, Text, Near: // arguments of queries over the bus, which is no command
		return string(f)
	}
	return "--" + strings.ReplaceAll(string(f), "_", "-")
}
