package session_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"engram/facts"
	"engram/session"
)

// What the published schema accepts, the parser accepts, and the other way round.
func TestTaskStates(t *testing.T) {
	var schema jsonschema.Schema
	if err := json.Unmarshal(session.TaskSchema, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		state string
		good  bool
	}{
		{`{}`, true},
		{`{"goals":["g"],"constraints":[],"open_loops":null,"next_actions":[],"key_events":["01KFA6D3VATDZ6K4RTZVB16H61"],"premise_version":"1","extensions":{"plan":{"steps":2},"x-mine":1}}`, true},
		{`{"extensions":{"phase":"debugging","self_assessment":true,"historical":false,"premises":["v1","v2"],"metrics":[1],"handover":"x"}}`, true},
		{`{"goal":["g"]}`, false},
		{`{"Goals":["g"]}`, false},
		{`{"goals":"g"}`, false},
		{`{"goals":[1]}`, false},
		{`{"premise_version":1}`, false},
		{`{"extensions":{"mine":1}}`, false},
		{`{"extensions":{"phase":"resting"}}`, false},
		{`{"extensions":{"self_assessment":"yes"}}`, false},
		{`{"extensions":{"premises":"v1"}}`, false},
		{`{"extensions":[]}`, false},
		{`{"key_events":["x"]}`, false},
		{`{"key_events":["01kfa6d3vatdz6k4rtzvb16h61"]}`, false},
		{`[]`, false},
	} {
		var value any
		if err := json.Unmarshal([]byte(tt.state), &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); (err == nil) != tt.good {
			t.Errorf("the schema says of %s: %v", tt.state, err)
		}
		if _, err := session.ParseTaskState([]byte(tt.state)); (err == nil) != tt.good {
			t.Errorf("the parser says of %s: %v", tt.state, err)
		}
	}
	for name, state := range map[string]string{
		"large":     `{"goals":["` + strings.Repeat("long ", 300_000) + `"]}`,
		"two":       `{} {}`,
		"cut":       `{"goals":["a"`,
		"duplicate": `{"goals":["a"],"goals":["b"]}`,
	} {
		if _, err := session.ParseTaskState([]byte(state)); err == nil {
			t.Errorf("%s: accepted", name)
		} else if len(err.Error()) > 300 {
			t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
		}
	}
}

func TestTaskText(t *testing.T) {
	var s session.TaskState
	for i := range 300 {
		s.Goals = append(s.Goals, fmt.Sprintf("goal %d: reach what was agreed on in the meeting", i))
		s.OpenLoops = append(s.OpenLoops, fmt.Sprintf("loop\n%d %s", i, strings.Repeat("is open ", i)))
	}
	s.Constraints = []string{"Never force-push."}
	s.Extensions = map[string]json.RawMessage{"phase": json.RawMessage(`"planning"`)}
	text := s.Text(session.MaxTask)
	if n := facts.Tokens(text); n > session.MaxTask || n < session.MaxTask*8/10 {
		t.Errorf("%d tokens", n)
	}
	for _, want := range []string{"Task state, phase planning\nConstraints:\n- Never force-push.\nGoals:\n- goal 0", "Open loops:\n- loop 0\n", "- and 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if empty := (session.TaskState{}).Text(session.MaxTask); empty != "Task state" {
		t.Errorf("the empty state is %q", empty)
	}
}
