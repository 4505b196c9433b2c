package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// engram is the adapter for engram: one process a request, in clones of one remote.
type engram struct{ binary string }

// NewEngram returns the adapter for the engram at a path.
func NewEngram(binary string) Tool { return engram{binary} }

const closedPolicy = "format: 1\nrate_limit: 0\npermissions:\n  - {agent: " + Outsider + ", scope: " + ClosedScope + ", read: false}\n"

func (e engram) Setup(ctx context.Context, dir string, n int) ([]string, error) {
	clones, err := newClones(ctx, dir, n)
	if err != nil {
		return nil, err
	}
	policy := filepath.Join(dir, "policy.yml")
	if err := os.WriteFile(policy, []byte(closedPolicy), 0o644); err != nil {
		return nil, err
	}
	for i, clone := range clones {
		steps := [][]string{{"init"}}
		if i == 0 {
			steps = [][]string{{"init"}, {"policy", "set", "--file", policy}, {"sync"}}
		} else if _, err := output(command(ctx, dir, clone, "git", "fetch", "-q")); err != nil {
			return nil, err
		}
		for _, args := range steps {
			if _, err := e.run(ctx, clone, "", args...); err != nil {
				return nil, fmt.Errorf("engram %s: %w", args[0], err)
			}
		}
	}
	return clones, nil
}

func (e engram) run(ctx context.Context, clone, agent string, args ...string) (string, error) {
	cmd := command(ctx, filepath.Dir(clone), clone, e.binary, args...)
	cmd.Env = append(cmd.Env, "ENGRAM_AGENT="+agent, "GORACE=atexit_sleep_ms=0")
	out, err := output(cmd)
	if f, ok := errors.AsType[*failure](err); ok && f.status == 4 {
		err = fmt.Errorf("%w: %s", ErrRefused, f.said)
	}
	return out, err
}

func (e engram) Commit(ctx context.Context, clone string, f Fact) error {
	args := []string{"commit", "--key", f.Key}
	if f.Scope != "" {
		args = append(args, "--scope", f.Scope)
	}
	_, err := e.run(ctx, clone, f.Agent, append(args, "--", f.Text)...)
	return err
}

// Read exports everything, or queries and gets what is asked for.
func (e engram) Read(ctx context.Context, clone string, q Question) (answer Answer, err error) {
	if q.About == "" {
		answer.Raw, err = e.run(ctx, clone, q.Agent, "export")
		return answer.records(answer.Raw, err)
	}
	answer.Raw, err = e.run(ctx, clone, q.Agent, "query", q.About, "--json", "--limit", "50")
	if err != nil {
		return answer, err
	}
	var found struct {
		Results []struct{ Key, Claim string } `json:"results"`
	}
	if err := json.Unmarshal([]byte(answer.Raw), &found); err != nil {
		return answer, err
	}
	for _, r := range found.Results {
		answer.Facts = append(answer.Facts, Fact{Key: r.Key, Text: r.Claim})
	}
	if strings.Contains(q.About, "/") {
		for _, verb := range []string{"get", "log"} {
			out, err := e.run(ctx, clone, q.Agent, verb, q.About)
			answer.Raw += out + fmt.Sprint(err)
		}
	}
	return answer, nil
}

// records adds the facts of an export.
func (a Answer) records(lines string, err error) (Answer, error) {
	if err != nil {
		return a, err
	}
	for line := range strings.Lines(lines) {
		var f struct{ Key, Claim string }
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			return a, err
		}
		a.Facts = append(a.Facts, Fact{Key: f.Key, Text: f.Claim})
	}
	return a, nil
}

func (e engram) Sync(ctx context.Context, clone string) error {
	_, err := e.run(ctx, clone, "", "sync")
	return err
}
