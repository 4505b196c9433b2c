package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"engram/facts"
)

// MaxMarker is the most tokens that a marker has (source document 5, §4.3).
const MaxMarker = 60

// Marker stands in a context window for a span of turns that was evicted.
type Marker struct {
	First  int      `json:"first_turn"`
	Last   int      `json:"last_turn"`
	Topics []string `json:"topics"` // most telling first
	Level  int      `json:"level"`  // 0: of one span; each merge of two is one level higher
}

// String is the fixed sentence of source document 5, §4.3, with as many of the topics as
// fit into MaxMarker tokens.
func (m Marker) String() string {
	for n := len(m.Topics); ; n-- {
		text := m.sentence(m.Topics[:n])
		if n == 0 || facts.Tokens(text) <= MaxMarker {
			return text
		}
	}
}

func (m Marker) sentence(topics []string) string {
	about := ""
	if len(topics) > 0 {
		about = "Key topics: " + strings.Join(topics, ", ") + ". "
	}
	return fmt.Sprintf("[Events T%d–T%d evicted. %sUse recall(query) to retrieve details.]", m.First, m.Last, about)
}

// TaskState is the index card of a task (source document 5, §4.3).
type TaskState struct {
	Goals       []string `json:"goals"`
	Constraints []string `json:"constraints"`
	OpenLoops   []string `json:"open_loops"`
	NextActions []string `json:"next_actions"`
	KeyEvents   []string `json:"key_events"` // ids of events
	Premise     string   `json:"premise_version"`
	// Extensions has the state of a domain by the name of its registered type.
	Extensions map[string]json.RawMessage `json:"extensions,omitempty"`
}

// extensionTypes are the registered types of extensions, with what they are for.
var extensionTypes = map[string]string{
	"plan":     "the steps of a plan, and which are done",
	"handover": "what another agent has to know to go on",
	"metrics":  "figures that the task watches",
}

// Check returns what is wrong with a state: an extension of a type that is not registered,
// or a key event that is not an event's id.
func (s TaskState) Check() error {
	for name := range s.Extensions {
		if _, ok := extensionTypes[name]; !ok && !strings.HasPrefix(name, "x-") {
			return fmt.Errorf("extension %.60q is not registered; a name of one's own begins with x-", name)
		}
	}
	for _, id := range s.KeyEvents {
		if !IsEventID(id) {
			return fmt.Errorf("key event %.60q is not the id of an event", id)
		}
	}
	return nil
}
