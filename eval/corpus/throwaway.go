package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"engram/memory"
)

// Throwaway is a repository with a memory, for as long as a suite runs.
type Throwaway struct {
	dir    string
	Memory *memory.Memory
}

// cleared is the scanner of a throw-away memory: every text was seen by the
// real one before.
type cleared struct{}

func (cleared) Redact(text string) (string, []string) { return text, nil }

func (cleared) Scan(string) (string, bool) { return "", false }

// NewThrowaway makes a repository with the facts in it. The caller closes it.
func NewThrowaway(ctx context.Context, records []Fact, opts Options) (t *Throwaway, result memory.ImportResult, err error) {
	dir, err := os.MkdirTemp("", "engram-eval-")
	if err != nil {
		return nil, result, fmt.Errorf("make a throw-away folder: %w", err)
	}
	t = &Throwaway{dir: dir}
	defer func() {
		if err != nil {
			t.Close()
		}
	}()
	// The memory is never a repository's first branch, hence the commit.
	for _, args := range [][]string{
		{"init", "-q"}, {"config", "user.name", "eval"}, {"config", "user.email", "eval@example.invalid"},
		{"commit", "-q", "--allow-empty", "-m", "begin"},
	} {
		if out, err := t.Git(ctx, args...).CombinedOutput(); err != nil {
			return t, result, fmt.Errorf("make a throw-away repository: git %s: %w: %s", args[0], err, bytes.TrimSpace(out))
		}
	}
	now := opts.Now
	if now == nil {
		now = Now
	}
	t.Memory, err = memory.Open(ctx, dir, cleared{}, &memory.Options{
		Now: now, NewID: numbered(), Progress: opts.Progress, Embedder: opts.Embedder,
	})
	if err != nil {
		return t, result, err
	}
	if _, err = t.Memory.Init(ctx); err != nil {
		return t, result, err
	}
	lines, err := JSONLines(records)
	if err != nil {
		return t, result, err
	}
	result, err = t.Memory.Import(ctx, lines, memory.ImportInput{Format: memory.JSONL, SkipInvalid: true})
	return t, result, err
}

// Close closes the memory and removes the repository.
func (t *Throwaway) Close() {
	if t.Memory != nil {
		t.Memory.Close()
	}
	os.RemoveAll(t.dir)
}

// Git is a git command in the repository that no setting of whoever runs this
// reaches. The locale lets -i fold more than ASCII.
func (t *Throwaway) Git(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = t.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "LC_ALL=")
	})
	cmd.Env = append(cmd.Env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "LC_ALL=C.UTF-8")
	return cmd
}

// JSONLines writes facts as an import reads them.
func JSONLines(records []Fact) (*bytes.Buffer, error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, f := range records {
		if err := encoder.Encode(f.Record); err != nil {
			return nil, fmt.Errorf("write an import: %w", err)
		}
	}
	return &lines, nil
}

// numbered makes ids that count up, above those of facts.
func numbered() func(time.Time) string {
	var n atomic.Int64
	return func(time.Time) string { return fmt.Sprintf("02%024d", n.Add(1)) }
}
