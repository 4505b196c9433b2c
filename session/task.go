package session

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"engram/facts"
	"engram/internal/strictjson"
)

const (
	// MaxTask is the most tokens of a task state as text (source document 5, §4.3).
	MaxTask = 800
	// MaxTaskBytes is the most bytes of one as JSON.
	MaxTaskBytes = 64 << 10
)

// TaskSchema is the JSON Schema of a task state.
//
//go:embed task-state.v1.json
var TaskSchema []byte

// TaskState is the index card of a task (source document 5, §4.3). It is never the only copy of
// anything: it points to events.
type TaskState struct {
	Goals       []string `json:"goals"`
	Constraints []string `json:"constraints"`
	OpenLoops   []string `json:"open_loops"`
	NextActions []string `json:"next_actions"`
	KeyEvents   []string `json:"key_events"`      // ids of events
	Premise     string   `json:"premise_version"` // of the premises that hold
	// Extensions has the state of a domain by the name of its registered type; names of one's
	// own begin with x-.
	Extensions map[string]json.RawMessage `json:"extensions,omitempty"`
}

// Phases are the phases of a task, for the extension "phase".
func Phases() []string {
	return []string{"planning", "building", "debugging", "reviewing", "operating"}
}

// ExtensionPlan is the extension that may be any JSON, and of a delegated task is a Delegation.
const ExtensionPlan = "plan"

// Delegation says where a task stands that another agent delegated.
type Delegation struct {
	Task   string `json:"task"`             // its key in the memory, under which its result is stated; a field "key" reads like a secret
	Node   string `json:"node,omitempty"`   // of the parent's plan
	Parent string `json:"parent,omitempty"` // the agent that delegated it
}

// The registered extensions that recall reads. Those that it does not read are "plan",
// "handover" and "metrics", which may be any JSON.
const (
	extensionPhase    = "phase"           // one of Phases
	extensionAssess   = "self_assessment" // true: the task will judge itself
	extensionHistory  = "historical"      // true: what was superseded is wanted as well
	extensionPremises = "premises"        // further versions of the premises that hold
)

var anyExtension = []string{ExtensionPlan, "handover", "metrics"}

// ParseTaskState reads the state of a task. It rejects unknown fields, an extension of a
// type that is not registered, and a key event that is not an event's id.
func ParseTaskState(text []byte) (s TaskState, err error) {
	if len(text) > MaxTaskBytes {
		return s, fmt.Errorf("the state of a task has %d KiB, at most %d are allowed: what is longer belongs into events, and the state points to them", len(text)>>10, MaxTaskBytes>>10)
	}
	if err := strictjson.Check(text, reflect.TypeFor[TaskState]()); err != nil {
		return s, fmt.Errorf("read the state of a task: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return s, fmt.Errorf("read the state of a task: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Extensions)) {
		if err := s.checkExtension(name); err != nil {
			return s, err
		}
	}
	for _, id := range s.KeyEvents {
		if !IsEventID(id) {
			return s, fmt.Errorf("key event %.60q is not the id of an event", id)
		}
	}
	return s, nil
}

func (s TaskState) checkExtension(name string) error {
	var wrong error
	switch {
	case name == extensionPhase:
		if !slices.Contains(Phases(), s.Phase()) {
			wrong = fmt.Errorf("it is one of %s", strings.Join(Phases(), ", "))
		}
	case name == extensionAssess || name == extensionHistory:
		wrong = json.Unmarshal(s.Extensions[name], new(bool))
	case name == extensionPremises:
		wrong = json.Unmarshal(s.Extensions[name], new([]string))
	case !slices.Contains(anyExtension, name) && !strings.HasPrefix(name, "x-"):
		return fmt.Errorf("extension %.60q is not registered; a name of one's own begins with x-", name)
	}
	if wrong != nil {
		return fmt.Errorf("extension %q: %w", name, wrong)
	}
	return nil
}

// Phase is the phase of the task, "" if it is not stated.
func (s TaskState) Phase() (phase string) {
	_ = json.Unmarshal(s.Extensions[extensionPhase], &phase)
	return phase
}

// SelfAssessment reports a task that will judge itself.
func (s TaskState) SelfAssessment() bool { return s.flag(extensionAssess) }

// Historical reports a task that wants what was superseded as well.
func (s TaskState) Historical() bool { return s.flag(extensionHistory) }

func (s TaskState) flag(name string) (on bool) {
	_ = json.Unmarshal(s.Extensions[name], &on)
	return on
}

// Premises are the versions of the premises that hold.
func (s TaskState) Premises() (list []string) {
	_ = json.Unmarshal(s.Extensions[extensionPremises], &list)
	if s.Premise != "" {
		list = append(list, s.Premise)
	}
	return list
}

// Text is the state for a model, in at most so many tokens: constraints first, then goals, next
// actions, open loops and key events, by turns so that each has some. What does not fit is
// counted.
func (s TaskState) Text(most int) string {
	sections := []struct {
		title string
		list  []string
	}{
		{"Constraints", s.Constraints}, {"Goals", s.Goals}, {"Next actions", s.NextActions},
		{"Open loops", s.OpenLoops}, {"Key events", s.KeyEvents},
	}
	head := "Task state"
	if phase := s.Phase(); phase != "" {
		head += ", phase " + phase
	}
	if s.Premise != "" {
		head += ", premises " + oneLine(s.Premise, maxTaskLine)
	}
	head += s.delegation()
	shown := make([]int, len(sections))
	render := func() string {
		var b strings.Builder
		b.WriteString(head + "\n")
		for i, section := range sections {
			if len(section.list) == 0 {
				continue
			}
			b.WriteString(section.title + ":\n")
			for _, text := range section.list[:shown[i]] {
				b.WriteString("- " + oneLine(text, maxTaskLine) + "\n")
			}
			if rest := len(section.list) - shown[i]; rest > 0 {
				fmt.Fprintf(&b, "- and %d more\n", rest)
			}
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	for grown := true; grown; {
		grown = false
		for i, section := range sections {
			if shown[i] == len(section.list) {
				continue
			}
			if shown[i]++; facts.Tokens(render()) > most {
				shown[i]--
				continue
			}
			grown = true
		}
	}
	return render()
}

// delegation is the line about who delegated the task, "" if nobody did.
func (s TaskState) delegation() string {
	var d Delegation
	if json.Unmarshal(s.Extensions[ExtensionPlan], &d) != nil {
		return ""
	}
	if _, err := facts.ParseKey(d.Task); err != nil { // a plan of another form
		return ""
	}
	line := "Delegated as " + d.Task
	if d.Parent != "" {
		line += " by " + d.Parent
	}
	if d.Node != "" {
		line += ", in the plan: " + d.Node
	}
	return "\n" + oneLine(line, maxTaskLine)
}

// maxTaskLine is the most bytes of one line of Text.
const maxTaskLine = 400

// oneLine puts a text on one line of at most so many bytes.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
