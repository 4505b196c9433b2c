package window

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"engram/bus"
	"engram/facts"
	"engram/memory/internal/brief"
	"engram/memory/internal/core"
	"engram/recall/window"
)

// Bounds of what is kept ready.
const (
	// readyFor is how long a brief is used again: what it says of evidence was checked then.
	readyFor = 15 * time.Minute
	maxReady = 200
)

// Ready says whether a brief had been made ready, and how often that was so in this clone.
type Ready struct {
	Hit    bool    `json:"hit"`
	Hits   int     `json:"hits"`
	Misses int     `json:"misses"`
	Rate   float64 `json:"rate"` // hits of both
}

// made is a brief that was made ready.
type made struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// Prepare makes the brief of a delegated task ready for the agent that is to do it.
func (m *Manager) Prepare(ctx context.Context, task, agent string) error {
	_, _, err := m.readyBrief(ctx, m.briefInput(ctx, PackInput{Task: task, Agent: agent}))
	return err
}

// briefInput is what the brief of a pack is for. A delegated task says it by its words and by
// the files that it points to, unless the caller does.
func (m *Manager) briefInput(ctx context.Context, in PackInput) brief.BriefInput {
	budget := cmp.Or(in.Budgets.Brief, window.DefaultBudgets().Brief)
	b := brief.BriefInput{Branch: in.Branch, Files: in.Files, About: in.About, Budget: budget, AskedBy: in.Agent}
	if len(in.Files) > 0 || in.About != "" || !strings.HasPrefix(in.Task, bus.TaskNamespace) {
		return b
	}
	// The state of a delegated task is called as its key is, with dots for slashes.
	key, err := facts.ParseKey(strings.ReplaceAll(in.Task, ".", "/"))
	if err != nil {
		return b
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return b
	}
	f, found, err := m.FactAt(ctx, tip, key)
	if err != nil || !found || m.Reader(manifest, in.Agent).CheckVersion(ctx, tip, f, facts.Fact{}) != nil {
		return b // without it the brief is one of the branch
	}
	b.About = strings.TrimPrefix(f.Claim, bus.TaskMark)
	for _, p := range f.Pointers {
		if a, err := facts.ParseRef(p.Ref); err == nil && a.InRepository() && a.Path != "" {
			b.Files = append(b.Files, a.Path)
		}
	}
	return b
}

// Brief returns the text of a brief, and keeps it ready; "" if there is nothing to tell.
func (m *Manager) Brief(ctx context.Context, in brief.BriefInput) (string, error) {
	text, _, err := m.readyBrief(ctx, in)
	return text, err
}

// readyBrief returns the text of a brief, which is made only if none for the same memory, work and
// reader is ready. Whoever asks again within some minutes gets the same bytes, so that caches of
// prompts keep them, too.
func (m *Manager) readyBrief(ctx context.Context, in brief.BriefInput) (text string, hit bool, err error) {
	file, err := m.readyFile(ctx, in)
	if err != nil {
		return "", false, err
	}
	var k made
	if core.ReadJSON(file, &k) && m.Moment().Sub(k.At) < readyFor && !m.Moment().Before(k.At) {
		return k.Text, true, nil
	}
	r, err := m.brief.Brief(ctx, in)
	if err != nil {
		return "", false, err
	}
	if !r.Empty() {
		text = strings.TrimSuffix(r.Text(), "\n")
	}
	if r.Notes == nil { // else it lacks something that the next one may have
		m.keep(file, made{m.Moment(), text})
	}
	return text, false, nil
}

// readyFile is the file that a brief is kept in: its name is a digest of all that the brief is
// made of, but the moment.
func (m *Manager) readyFile(ctx context.Context, in brief.BriefInput) (string, error) {
	tip, err := m.Store.Tip(ctx)
	if err != nil {
		return "", err
	}
	of := struct {
		Tip, Branch, Reader string
		In                  brief.BriefInput
		Files               []string
	}{tip, m.ResolveBranch(in.Branch), cmp.Or(in.AskedBy, m.Agent), in, nil}
	for _, name := range in.Files {
		state := "gone"
		if info, err := os.Stat(filepath.Join(m.WorkTree(), filepath.FromSlash(name))); err == nil {
			state = info.ModTime().UTC().Format(time.RFC3339Nano)
		}
		of.Files = append(of.Files, state)
	}
	text, err := json.Marshal(of)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return filepath.Join(m.ReadyFolder(), hex.EncodeToString(sum[:16])+".json"), nil
}

// keep keeps a brief, and drops old ones. A failure costs the next one the time to make it.
func (m *Manager) keep(file string, k made) {
	if err := core.WriteJSON(file, k); err != nil {
		m.Log.Debug("a brief was not kept ready", "error", err)
		return
	}
	entries, _ := os.ReadDir(m.ReadyFolder())
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && entry.Name() != readyCounts && (time.Since(info.ModTime()) > readyFor || len(entries) > maxReady) {
			if name := filepath.Join(m.ReadyFolder(), entry.Name()); name != file {
				_ = os.Remove(name) // another process may have done so
			}
		}
	}
}

// readyCounts is the file that counts.
const readyCounts = "counts.json"

// count counts a pack. Two at once may count as one.
func (m *Manager) count(hit bool) *Ready {
	file := filepath.Join(m.ReadyFolder(), readyCounts)
	r := &Ready{}
	core.ReadJSON(file, r)
	if r.Hit = hit; hit {
		r.Hits++
	} else {
		r.Misses++
	}
	r.Rate = float64(r.Hits) / float64(r.Hits+r.Misses)
	if err := core.WriteJSON(file, r); err != nil {
		m.Log.Debug("a pack was not counted", "error", err)
	}
	return r
}
