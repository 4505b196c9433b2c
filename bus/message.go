package bus

// ChildMessage is what a child hands to its parent (the bus document §7.1).
type ChildMessage struct {
	Role          string         `json:"ROLE" yaml:"ROLE"`
	TaskStatus    string         `json:"TASK_STATUS" yaml:"TASK_STATUS"`
	Engrams       []Engram       `json:"ENGRAMS" yaml:"ENGRAMS"`
	PointerPack   []Pointer      `json:"POINTER_PACK,omitempty" yaml:"POINTER_PACK,omitempty"`
	DerefRequests []DerefRequest `json:"DEREF_REQUESTS,omitempty" yaml:"DEREF_REQUESTS,omitempty"`
	Output        Output         `json:"OUTPUT" yaml:"OUTPUT"`
}

// DerefRequest asks the parent to let the child read what a pointer points at.
type DerefRequest struct {
	Pointer Pointer `json:"pointer" yaml:"pointer"`
	Reason  string  `json:"reason" yaml:"reason"`
}

// Output is what a child says beside its engrams.
type Output struct {
	Summary string `json:"summary" yaml:"summary"`
	Next    string `json:"next,omitempty" yaml:"next,omitempty"`
}

// ParentMessage is what a parent broadcasts to a child (the bus document §7.2).
type ParentMessage struct {
	Role              string         `json:"ROLE" yaml:"ROLE"`
	SharedBriefMicro  []string       `json:"SHARED_BRIEF_MICRO" yaml:"SHARED_BRIEF_MICRO"`
	Budgets           Budgets        `json:"BUDGETS" yaml:"BUDGETS"`
	Grants            []MessageGrant `json:"GRANTS,omitempty" yaml:"GRANTS,omitempty"`
	TargetPointerPack []Pointer      `json:"TARGET_POINTER_PACK,omitempty" yaml:"TARGET_POINTER_PACK,omitempty"`
	Instructions      []string       `json:"INSTRUCTIONS,omitempty" yaml:"INSTRUCTIONS,omitempty"`
}

// Budgets are the limits that a parent tells a child of.
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

// MaxBriefLines is how many lines a parent's message has at most, as YAML (the bus
// document §10.1).
const MaxBriefLines = 30

// Form is which message a text is.
type Form string

// The forms.
const (
	FromChild  Form = "child"
	FromParent Form = "parent"
)

// Allowance is what goes beyond the limits, and what is known of a message that its text
// does not say.
type Allowance struct {
	// CodeChars are characters of code that grants allow, beside those of the limits.
	CodeChars int
	// Commits has, for references that name no commit, the same with one. They are what
	// the compliant form has; the message is refused all the same.
	Commits map[string]string
}

// Verdict is what the budget says of a message. The same text, limits and allowance
// give the same verdict.
type Verdict struct {
	OK        bool      `json:"ok"`
	Code      string    `json:"code,omitempty"` // of the first refusal
	Form      Form      `json:"form"`
	Refusals  []Refusal `json:"refusals,omitempty"`
	Tokens    int       `json:"inline_tokens"` // of the canonical form and of comments
	Engrams   int       `json:"engrams"`
	CodeChars int       `json:"code_chars"`
	// Resend is the whole message in a form that complies, as far as it can be made
	// of this one without inventing anything; "" where the message is fine or not
	// to be read.
	Resend string `json:"resend,omitempty"`
}
