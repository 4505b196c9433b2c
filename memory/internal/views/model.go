package views

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"engram/memory/internal/core"
	"engram/recall/views"
	"engram/session"
)

// defaultQuestions bounds what a model is asked in one run; AtRest is for who runs in the
// background and looks for other work in between.
const (
	defaultQuestions = 50
	AtRest           = 4
)

// pick has a language model read the conversations of episodes that it has not read, those of the
// newest sessions first, if one may. Each answer is kept at once, so that a run that ends early
// loses nothing. A model that does not answer ends it with a note and no error: views of the rules
// are there.
func (k *Keeper) pick(ctx context.Context, only string, most int, result *ConsolidateResult) error {
	if k.Models.Reader == nil {
		return nil
	}
	list, err := k.all(ctx)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b views.Views) int { return ended(b).Compare(ended(a)) })
	r := reading{k: k, left: cmp.Or(most, defaultQuestions), result: result}
	for i := range list {
		v := &list[i]
		if only == "" || v.Session == only {
			if err := r.session(ctx, v); err != nil {
				return err
			}
			result.Unread += len(v.Episodes) - v.Read
		}
	}
	if r.dropped > 0 {
		result.Notes = append(result.Notes, core.Plural(r.dropped, "sentence")+" of the language model dropped: nobody said it")
	}
	return nil
}

func ended(v views.Views) (at time.Time) {
	if n := len(v.Episodes); n > 0 {
		at = v.Episodes[n-1].Ended
	}
	return at
}

// reading is one run of questions.
type reading struct {
	k       *Keeper
	left    int // questions that may still be asked
	dropped int
	result  *ConsolidateResult
}

// session has the next episodes of a session read.
func (r *reading) session(ctx context.Context, v *views.Views) error {
	episodes := v.Episodes[v.Read:min(len(v.Episodes), v.Read+r.left)]
	if len(episodes) == 0 {
		return nil
	}
	said, err := r.k.said(ctx, v.Session, episodes)
	if err != nil {
		return err
	}
	for _, of := range said {
		if len(of) == 0 {
			v.Read++ // nobody said anything
			continue
		}
		r.k.Progress("having the language model read sessions", r.result.Asked, 0)
		system, user := views.Question(of)
		answer, err := r.k.Models.Reader.Complete(ctx, system, user)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			r.left = 0
			r.k.Log.Warn("the language model did not read a session", "session", v.Session, "error", err)
			r.result.Notes = append(r.result.Notes, fmt.Sprintf("the language model did not answer: %v; the next run asks again", err))
			return r.k.store(*v)
		}
		r.left, r.result.Asked = r.left-1, r.result.Asked+1
		dropped, err := v.Pick(of, answer, r.k.Models.LLMID)
		if errors.Is(err, views.ErrNoPick) {
			r.k.Log.Warn("the language model picked nothing of a session", "session", v.Session, "error", err)
			v.Read++ // it would say the same again
		}
		r.dropped += dropped
		if err := r.k.store(*v); err != nil {
			return err
		}
	}
	return r.k.store(*v)
}

// said returns what was said in each of some episodes that follow each other.
func (k *Keeper) said(ctx context.Context, id string, episodes []views.Episode) ([][]session.Event, error) {
	s, err := k.archive.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	said, at := make([][]session.Event, len(episodes)), 0
	for e, err := range s.Sealed(ctx) {
		if err != nil {
			return nil, err
		}
		for at < len(episodes) && e.Turn > episodes[at].LastTurn {
			at++
		}
		if at == len(episodes) {
			break
		}
		if e.Turn >= episodes[at].FirstTurn && views.Said(&e) {
			said[at] = append(said[at], e)
		}
	}
	return said, nil
}
