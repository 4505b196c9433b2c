package hint

import "strings"

// Action is something that a hint advises to do: the command that a person runs, with a %s
// for each argument.
type Action string

// The actions. A comment names the arguments.
const (
	Query            Action = "engram query"
	ListFacts        Action = "engram list"
	Commit           Action = "engram commit"
	ShowLog          Action = "engram log %s" // a key
	ShowCommits      Action = "engram log"
	Lint             Action = "engram lint"
	LintKey          Action = "engram lint --fix-suggestions %s" // a key
	Verify           Action = "engram verify"
	ListConflicts    Action = "engram conflicts"
	ListAllConflicts Action = "engram conflicts --status all"
	Resolve          Action = "engram resolve"
	Judge            Action = "engram judge"
	ListUndecided    Action = "engram conflicts --undecided"
	ListProposals    Action = "engram review --list"
	ShowPolicy       Action = "engram policy"
	Init             Action = "engram init"
	FetchMemory      Action = "git fetch origin engram:engram"
	Sync             Action = "engram sync %s" // a remote
	Watch            Action = "engram watch"
	Invite           Action = "engram invite"
	ListInvitations  Action = "engram invite list"
	ListSources      Action = "engram source list"
	RemoveSource     Action = "engram source rm %s" // a name
	Publish          Action = "engram publish"
	ReadPointer      Action = "engram deref"
	ListGrants       Action = "engram bus grants"
	IssueGrant       Action = "engram bus grant"
	RevokeGrant      Action = "engram bus revoke %s"       // an id
	ShowTurn         Action = "engram bus turn --agent %s" // an agent
	ShowMessageForm  Action = "engram bus schema"
	ValidateMessage  Action = "engram bus validate"
	ShareBrief       Action = `engram brief --goal "%s" --to %s` // a goal and an agent
	DelegateTask     Action = `engram bus task %s --to %s "%s"`  // a key, an agent and a task
	ReportResult     Action = `engram bus result %s "%s"`        // a key and a result
	WhyLines         Action = "engram why %s"                    // a file with lines
	ListSessions     Action = "engram session list"
	ListLearnt       Action = "engram session learnt"
	ShowSession      Action = "engram session show %s"                     // an id
	ExportSession    Action = "engram session export %s --format markdown" // an id
	FetchSessions    Action = "engram session fetch"
	FetchSession     Action = "engram session fetch %s"             // an id
	ShareSession     Action = "engram session share %s --yes"       // an id
	ForgetSession    Action = "engram session forget %s --yes"      // an id
	FetchArtifacts   Action = "engram session fetch %s --artifacts" // an id
	Help             Action = "engram help %s"                      // a topic or a command
	Git              Action = "git %s"                              // a command of git, without the word git
)

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
	Newer        Field = "newer"
	Remote       Field = "remote"
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
