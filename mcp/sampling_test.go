//lint:file-ignore SA1019 clients of the versions that have sampling are tested

package mcp_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp"
)

// withSampling is the last version of the protocol in which a server may ask by itself.
const withSampling = "2025-11-25"

// model is the language model of a client.
type model struct {
	answer  func(question string) (string, error)
	mu      sync.Mutex
	asked   []string
	system  string
	givenUp atomic.Int32 // pairs that the server left undecided
}

// Write takes the server's log.
func (m *model) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "a pair stays undecided") {
		m.givenUp.Add(1)
	}
	return len(line), nil
}

func (m *model) create(ctx context.Context, req *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
	question := req.Params.Messages[0].Content.(*sdk.TextContent).Text
	m.mu.Lock()
	m.asked, m.system = append(m.asked, question), req.Params.SystemPrompt
	m.mu.Unlock()
	text, err := m.answer(question)
	if err != nil {
		return nil, err
	}
	return &sdk.CreateMessageResult{Model: "Big Model 4.5", Role: "assistant", Content: &sdk.TextContent{Text: text}}, nil
}

func (m *model) questions() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.asked...)
}

// sampled is a session of a client that answers sampling, with a server that may ask or not.
func sampled(t *testing.T, allowed bool, version string, m *model) client {
	t.Helper()
	open := opener(newMemory(t))
	server, err := mcp.New(func(ctx context.Context) (mcp.Opened, func(), error) {
		o, done, err := open(ctx)
		o.Sampling = allowed
		return o, done, err
	}, &mcp.Options{Logger: slog.New(slog.NewTextHandler(m, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return overPipesWith(t, server, version, &sdk.ClientOptions{CreateMessageHandler: m.create})
}

func always(answer string) func(string) (string, error) {
	return func(string) (string, error) { return answer, nil }
}

// offer commits a pair that the rules cannot decide, as one agent, and returns the answer of
// the second commit.
func offer(t *testing.T, c client, pair [2]string) object {
	t.Helper()
	c.call("engram_commit", object{"content": pair[0], "scope": "shop"})
	answer := c.call("engram_commit", object{"content": pair[1], "scope": "shop"})
	if len(list(answer, "likely"))+len(list(answer, "related")) == 0 {
		t.Fatalf("%v", answer)
	}
	return answer
}

// TestSampling: the client's model judges what a commit left undecided, as a judge of its own.
func TestSampling(t *testing.T) {
	m := &model{answer: always(`{"verdict":"contradicts","reason":"Kept or begun afresh.","newer":""}`)}
	c := sampled(t, true, withSampling, m)
	answer := offer(t, c, waiting[0])
	if answer["hint"] != nil {
		t.Errorf("the agent is asked too: %v", answer["hint"])
	}
	var conflicts []object
	eventually(t, func() bool {
		conflicts = list(c.call("engram_conflicts", nil), "conflicts")
		return len(conflicts) == 1
	})
	got := conflicts[0]
	// The author is an agent of another name, so that the verdict counts in full.
	if got["tier"] != "judged" || got["verdict"] != "contradiction" || got["explanation"] != "Kept or begun afresh." {
		t.Errorf("%v", got)
	}
	if full := c.call("engram_get", object{"key": "risk/conflict/" + got["conflict_id"].(string)}); !strings.Contains(full["fact"].(object)["evidence"].(string), "judged by big-model-4.5") {
		t.Errorf("%v", full)
	}
	asked := m.questions()
	if len(asked) != 1 || !strings.Contains(asked[0], waiting[0][0]) || !strings.Contains(asked[0], waiting[0][1]) || strings.Contains(asked[0], "test-client") || !strings.Contains(m.system, "quoted data") {
		t.Errorf("asked %q", asked)
	}
	if status := c.call("engram_status", nil); status["undecided"] != nil {
		t.Errorf("still undecided: %v", status["undecided"])
	}
}

// TestSamplingDelaysNothing: a commit is answered while the model thinks, and the server closes
// without waiting for it.
func TestSamplingDelaysNothing(t *testing.T) {
	thinking, done := make(chan bool, 1), make(chan bool)
	m := &model{answer: func(string) (string, error) { thinking <- true; <-done; return "", errors.New("too late") }}
	c := sampled(t, true, withSampling, m)
	t.Cleanup(func() { close(done) })
	offer(t, c, waiting[0])
	select {
	case <-thinking:
	case <-time.After(45 * time.Second):
		t.Fatal("nobody was asked")
	}
	// Another pair meanwhile is left to the agent.
	if answer := offer(t, c, waiting[2]); answer["hint"] == nil {
		t.Error("the agent is not asked instead")
	}
}

// TestSamplingUndecided: refusals and answers that are no verdict leave pairs undecided, and
// after two in a row nobody is asked again.
func TestSamplingUndecided(t *testing.T) {
	for name, answer := range map[string]func(string) (string, error){
		"refuses":      func(string) (string, error) { return "", errors.New("the user said no") },
		"prose":        always("They contradict each other."),
		"unknown":      always(`{"verdict":"unknown","reason":"hard to say"}`),
		"tells a leak": always(`{"verdict":"same","reason":"The token is ghp_` + `x7Kq2mVn9RtLw4Yb8ZcPd3Jf6HgSa1QeUo5T"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &model{answer: answer}
			c := sampled(t, true, withSampling, m)
			for i, pair := range waiting {
				answer := offer(t, c, pair)
				want := min(i+1, 2)
				eventually(t, func() bool { return int(m.givenUp.Load()) == want })
				if hint := answer["hint"] != nil; hint != (i == 2) {
					t.Errorf("pair %d: hint %v", i, answer["hint"])
				}
			}
			if n := len(m.questions()); n != 2 {
				t.Errorf("%d questions", n)
			}
			if pairs := list(c.call("engram_status", nil), "undecided"); len(pairs) != 3 {
				t.Errorf("undecided: %v", pairs)
			}
			if conflicts := list(c.call("engram_conflicts", object{"status": "all"}), "conflicts"); len(conflicts) != 0 {
				t.Errorf("%v", conflicts)
			}
		})
	}
}

// TestNoSampling: without the setting, or with a version of the protocol without such
// questions, the agent is asked as ever.
func TestNoSampling(t *testing.T) {
	for name, tt := range map[string]struct {
		allowed bool
		version string
	}{"not allowed": {false, withSampling}, "a later version": {true, "2026-07-28"}} {
		m := &model{answer: always(`{"verdict":"same","reason":"x","newer":""}`)}
		c := sampled(t, tt.allowed, tt.version, m)
		if answer := offer(t, c, waiting[0]); answer["hint"] == nil {
			t.Errorf("%s: the agent is not asked", name)
		}
		if len(m.questions()) != 0 {
			t.Errorf("%s: the model is asked", name)
		}
	}
}
