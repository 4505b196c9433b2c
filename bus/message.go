// Package bus has the exchange between agents: the messages between parent and child (the
// bus document §7), the budgets of a message and of a turn (the bus document §3), grants
// beyond the budgets, and the shared brief.
//
// The package is pure and deterministic: the same message, limits and grants give the same
// verdict. Usage and the key that signs grants are kept by bus/ledger.
package bus

// ChildMessage is a child's message to its parent (the bus document §7.1).
type ChildMessage struct {
	Role          string         `json:"ROLE" yaml:"ROLE"`
	TaskStatus    string         `json:"TASK_STATUS" yaml:"TASK_STATUS"`
	Engrams       []Engram       `json:"ENGRAMS" yaml:"ENGRAMS"`
	PointerPack   []Pointer      `json:"POINTER_PACK,omitempty" yaml:"POINTER_PACK,omitempty"`
	DerefRequests []DerefRequest `json:"DEREF_REQUESTS,omitempty" yaml:"DEREF_REQUESTS,omitempty"`
	Output        Output         `json:"OUTPUT" yaml:"OUTPUT"`
}

// DerefRequest asks the parent to permit reading what a pointer names.
type DerefRequest struct {
	Pointer Pointer `json:"pointer" yaml:"pointer"`
	Reason  string  `json:"reason" yaml:"reason"`
}

// Output is the rest of a child's message.
type Output struct {
	Summary string `json:"summary" yaml:"summary"`
	Next    string `json:"next,omitempty" yaml:"next,omitempty"`
}

// ParentMessage is a parent's message to a child (the bus document §7.2).
type ParentMessage struct {
	Role              string         `json:"ROLE" yaml:"ROLE"`
	SharedBriefMicro  []string       `json:"SHARED_BRIEF_MICRO" yaml:"SHARED_BRIEF_MICRO"`
	Budgets           Budgets        `json:"BUDGETS" yaml:"BUDGETS"`
	Grants            []MessageGrant `json:"GRANTS,omitempty" yaml:"GRANTS,omitempty"`
	TargetPointerPack []Pointer      `json:"TARGET_POINTER_PACK,omitempty" yaml:"TARGET_POINTER_PACK,omitempty"`
	Instructions      []string       `json:"INSTRUCTIONS,omitempty" yaml:"INSTRUCTIONS,omitempty"`
}

// Budgets are the limits in a parent's message.
type Budgets struct {
	MaxEngrams          int `json:"max_engrams" yaml:"max_engrams"`
	MaxRepoSpans        int `json:"max_repo_spans" yaml:"max_repo_spans"`
	MaxArtifactSections int `json:"max_artifact_sections" yaml:"max_artifact_sections"`
	MaxSAMItems         int `json:"max_sam_items" yaml:"max_sam_items"`
	MaxInlineTokens     int `json:"max_inline_tokens" yaml:"max_inline_tokens"`
	MaxDerefTokens      int `json:"max_deref_tokens" yaml:"max_deref_tokens"`
}

// MessageGrant hands a grant to the child.
type MessageGrant struct {
	BudgetToken string  `json:"budget_token" yaml:"budget_token"`
	Pointer     Pointer `json:"pointer" yaml:"pointer"`
	CapTokens   int     `json:"cap_tokens" yaml:"cap_tokens"`
}

// MaxBriefLines bounds a parent's message, in lines of YAML (the bus document §10.1).
const MaxBriefLines = 30

// Form is the form of a message.
type Form string

// The forms.
const (
	FromChild  Form = "child"
	FromParent Form = "parent"
)

// Allowance is what is permitted beyond the limits, and what is known about a message
// besides its text.
type Allowance struct {
	// CodeChars are characters of code that grants permit, in addition to the limits.
	CodeChars int
	// Commits maps references without a commit to the same references with one. The
	// compliant form uses them; the message is rejected all the same.
	Commits map[string]string
}

// Verdict is the result of checking a message. The same text, limits and allowance give the
// same verdict.
type Verdict struct {
	OK        bool      `json:"ok"`
	Code      string    `json:"code,omitempty"` // of the first refusal
	Form      Form      `json:"form"`
	Refusals  []Refusal `json:"refusals,omitempty"`
	Tokens    int       `json:"inline_tokens"` // of the canonical form and of comments
	Engrams   int       `json:"engrams"`
	CodeChars int       `json:"code_chars"`
	// Resend is the whole message in a form that complies, as far as that needs no
	// invention; "" if the message is valid or unreadable.
	Resend string `json:"resend,omitempty"`
}
