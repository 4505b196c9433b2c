//lint:file-ignore SA1019 clients of the versions that have sampling are asked; there is no other way to ask them

// Package sampling asks the language model of a client, by the protocol's sampling, about
// pairs of claims that nobody has judged. It asks in the background, and stores nothing.
//
// The protocol has deprecated sampling, and from version 2026-07-28 on a server can ask
// only within the answer of a tool, which would delay that. So clients of such versions are
// not asked.
package sampling

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of what a server asks.
const (
	maxPairs     = 3                // at a time, which is all that a commit relates
	maxQuestions = 100              // of one server
	maxFailures  = 2                // in a row; then the client seems not to want to be asked
	maxTime      = 90 * time.Second // for the pairs of one commit
	maxTokens    = 300              // of an answer
)

// notAsked is the first version of the protocol in which a server cannot ask by itself.
const notAsked = "2026-07-28"

// Claim is one side of a pair.
type Claim struct {
	Key  string `json:"key"`
	Text string `json:"claim"`
}

// Pair is two claims that nobody has judged.
type Pair struct{ A, B Claim }

// Record stores the verdict that a model gave on a pair.
type Record func(ctx context.Context, p Pair, v Verdict, model string) error

// Asker asks the models of a server's clients. Its zero value is not usable. Close it.
type Asker struct {
	log *slog.Logger

	mu       sync.Mutex
	cancel   context.CancelFunc // of the asking under way; nil if there is none
	asked    int
	failures int // in a row
	closed   bool
	pending  sync.WaitGroup
}

// New returns an Asker.
func New(log *slog.Logger) *Asker { return &Asker{log: log} }

// Ask puts pairs to the model of a client in the background, one after the other, and reports
// whether it does. It does not if the client does not offer sampling, pairs of an earlier
// commit are being asked about, or a bound is reached. A refusal, silence, and an answer that
// is not exactly a verdict leave a pair undecided.
func (a *Asker) Ask(client *sdk.ServerSession, pairs []Pair, record Record) bool {
	if len(pairs) == 0 || !offers(client) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || a.cancel != nil || a.asked >= maxQuestions || a.failures >= maxFailures {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxTime) // it outlives the call
	a.cancel = cancel
	a.pending.Go(func() {
		a.askAll(ctx, client, pairs[:min(len(pairs), maxPairs)], record)
		cancel()
		a.mu.Lock()
		a.cancel = nil
		a.mu.Unlock()
	})
	return true
}

// offers reports whether a client can be asked.
func offers(client *sdk.ServerSession) bool {
	if client == nil {
		return false
	}
	p := client.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.Sampling != nil && p.ProtocolVersion < notAsked
}

func (a *Asker) askAll(ctx context.Context, client *sdk.ServerSession, pairs []Pair, record Record) {
	for _, p := range pairs {
		if !a.mayAsk() {
			return
		}
		v, model, err := ask(ctx, client, p)
		if err == nil {
			err = record(ctx, p, v, model)
		}
		if ctx.Err() != nil {
			return
		}
		a.note(err)
	}
}

// mayAsk counts a question, if one more is within the bounds.
func (a *Asker) mayAsk() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asked >= maxQuestions || a.failures >= maxFailures {
		return false
	}
	a.asked++
	return true
}

func (a *Asker) note(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		a.failures = 0
		return
	}
	a.failures++
	a.log.Debug("a pair stays undecided", "error", err)
}

// Close stops asking, and waits for that.
func (a *Asker) Close() {
	a.mu.Lock()
	a.closed = true
	if a.cancel != nil {
		a.cancel()
	}
	a.mu.Unlock()
	a.pending.Wait()
}

// ask puts one pair to the model of a client.
func ask(ctx context.Context, client *sdk.ServerSession, p Pair) (v Verdict, model string, err error) {
	question, err := questionOf(p)
	if err != nil {
		return v, "", err
	}
	answer, err := client.CreateMessage(ctx, &sdk.CreateMessageParams{
		SystemPrompt: instructions, MaxTokens: maxTokens,
		Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: question}}},
	})
	if err != nil {
		return v, "", fmt.Errorf("ask the client's model: %w", err)
	}
	text, ok := answer.Content.(*sdk.TextContent)
	if !ok {
		return v, "", errNoText
	}
	v, err = readVerdict(text.Text)
	return v, answer.Model, err
}

var errNoText = errors.New("the client's model answered without text")
