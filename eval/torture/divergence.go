package torture

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// quiet is after how many rounds of syncs all clones must hold the same facts.
const quiet = 6

// divergence makes up histories: three to five clones write, change each other's facts
// and sync, in any order. In the end all sync until nothing moves. A history is bad if
// the clones then hold different facts, or if an acknowledged text is gone that no
// writer replaced knowingly.
func divergence(ctx context.Context, r *run) error {
	for n := range r.opts.Histories {
		r.opts.Progress("histories", n, r.opts.Histories)
		clones, err := r.tool.Setup(ctx, filepath.Join(r.dir, fmt.Sprint(n)), 3+r.random.IntN(3))
		if err != nil {
			return err
		}
		h := history{run: r, n: n, clones: clones, live: make(map[string]bool)}
		for step := range 8 + r.random.IntN(10) {
			if err := h.step(ctx, step); err != nil {
				return err
			}
		}
		if err := h.settle(ctx); err != nil {
			return err
		}
		r.Tried++
	}
	return nil
}

// history is one history. live has the texts that must be found in the end.
type history struct {
	*run
	n      int
	clones []string
	live   map[string]bool
}

// step is one thing that one clone does.
func (h *history) step(ctx context.Context, step int) error {
	clone := h.clones[h.random.IntN(len(h.clones))]
	if h.random.IntN(3) == 0 {
		return h.sync(ctx, clone)
	}
	f := Fact{Key: fmt.Sprintf("domain/shared/k%d", h.random.IntN(4)), Text: fmt.Sprintf("History %d had event h%ds%d.", h.n, h.n, step)}
	before, err := h.tool.Read(ctx, clone, Question{})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		h.Failed++
		h.note("read: %v", err)
		return nil
	}
	err = h.tool.Commit(ctx, clone, f)
	switch {
	case errors.Is(err, ErrRefused):
		h.Refused++
		return nil
	case err != nil:
		h.Failed++
		h.note("commit: %v", err)
	default:
		h.Acknowledged++
		h.live[f.Text] = true
	}
	for _, old := range before.Facts { // what the writer knew at this key is replaced
		if old.Key == f.Key {
			delete(h.live, old.Text)
		}
	}
	return nil
}

// sync is one sync; a tool that has none ends the measure.
func (h *history) sync(ctx context.Context, clone string) error {
	err := h.tool.Sync(ctx, clone)
	if errors.Is(err, ErrUnsupported) {
		return err
	}
	if err != nil && ctx.Err() == nil {
		h.Failed++
		h.note("sync: %v", err)
	}
	return ctx.Err()
}

// settle syncs until all clones hold the same, and compares.
func (h *history) settle(ctx context.Context) error {
	var states []map[string]bool
	for range quiet {
		for _, clone := range h.clones {
			if err := h.sync(ctx, clone); err != nil {
				return err
			}
		}
		var err error
		if states, err = h.states(ctx); err != nil {
			return err
		}
		if same(states) {
			break
		}
	}
	if !same(states) {
		h.Bad++
		h.note("history %d: the clones differ after %d rounds of syncs", h.n, quiet)
		return nil
	}
	all := strings.Join(slices.Collect(maps.Keys(states[0])), "\n")
	for text := range h.live {
		if !strings.Contains(all, text) {
			h.Bad++
			h.note("history %d: %q was acknowledged, and no writer replaced it", h.n, text)
			return nil
		}
	}
	return nil
}

// states is what each clone holds.
func (h *history) states(ctx context.Context) (list []map[string]bool, err error) {
	for _, clone := range h.clones {
		answer, err := h.tool.Read(ctx, clone, Question{})
		if err != nil {
			h.Failed++
			h.note("read: %v", err)
		}
		state := make(map[string]bool)
		for _, f := range answer.Facts {
			state[f.Key+"\t"+f.Text] = true
		}
		list = append(list, state)
	}
	return list, ctx.Err()
}

func same(states []map[string]bool) bool {
	for _, s := range states[1:] {
		if !maps.Equal(s, states[0]) {
			return false
		}
	}
	return true
}
