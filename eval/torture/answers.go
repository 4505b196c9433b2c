package torture

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// stale asks after each acknowledged write for the word that only this write has, in
// another process, while another writer does the same.
func stale(ctx context.Context, r *run) error {
	clones, err := r.tool.Setup(ctx, r.dir, 1)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for n := range r.opts.Answers / writers {
				if ctx.Err() != nil {
					return
				}
				if w == 0 {
					r.opts.Progress("stale answers", n, r.opts.Answers/writers)
				}
				word := fmt.Sprintf("stale%dx%d", w, n)
				f := Fact{Key: fmt.Sprintf("domain/stale%d/f%d", w, n%3), Text: "The marker of this round is " + word + "."}
				err := r.tool.Commit(ctx, clones[0], f)
				var answer Answer
				if err == nil {
					answer, err = r.tool.Read(ctx, clones[0], Question{About: word})
				}
				mu.Lock()
				r.answered(word, f, answer, err)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return nil
}

func (r *run) answered(word string, f Fact, answer Answer, err error) {
	r.Tried++
	switch {
	case errors.Is(err, ErrRefused):
		r.Refused++
		return
	case err != nil:
		r.Failed++
		r.note("%v", err)
		return
	}
	r.Acknowledged++
	for _, got := range answer.Facts {
		if got.Text == f.Text {
			return
		}
	}
	r.Bad++
	r.note("%s was acknowledged and is not in the answer", word)
}

// forbidden writes facts with a canary into the closed scope, and reads as the agent
// that may not. Nothing that the tool prints may have the canary. As a control, another
// agent must find it.
func forbidden(ctx context.Context, r *run) error {
	clones, err := r.tool.Setup(ctx, r.dir, 1)
	if err != nil {
		return err
	}
	for n := range r.opts.Answers / 4 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.opts.Progress("forbidden reads", n, r.opts.Answers/4)
		canary := fmt.Sprintf("canary%dq%d", n, r.random.IntN(1e9))
		f := Fact{Key: fmt.Sprintf("domain/closed/f%d", n), Text: "The vault opens with " + canary + ".", Agent: "insider", Scope: ClosedScope}
		switch err := r.tool.Commit(ctx, clones[0], f); {
		case errors.Is(err, ErrUnsupported):
			return err
		case err != nil:
			r.Failed++
			r.note("commit: %v", err)
			continue
		}
		r.Acknowledged++
		if own, err := r.tool.Read(ctx, clones[0], Question{About: canary, Agent: f.Agent}); err != nil || len(own.Facts) == 0 {
			r.Failed++
			r.note("an agent that may read does not find %s: %v", canary, err)
		}
		for _, about := range []string{"", "vault", f.Key} {
			r.Tried++
			answer, err := r.tool.Read(ctx, clones[0], Question{About: about, Agent: Outsider})
			// The question itself may come back, the canary may not: it was not asked for.
			if strings.Contains(answer.Raw+fmt.Sprint(answer.Facts, err), canary) {
				r.Bad++
				r.note("%s was read by %s, who asked %q", canary, Outsider, about)
			}
		}
	}
	return nil
}
