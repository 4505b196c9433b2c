package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// writers is how many processes write at once in the measure "lost".
const writers = 2

// lost kills one writer in four at a random moment, and in the end looks for every
// write that was acknowledged and not replaced by a later one of the same writer.
func lost(ctx context.Context, r *run) error {
	clones, err := r.tool.Setup(ctx, r.dir, 1)
	if err != nil {
		return err
	}
	patience, err := r.typical(ctx, clones[0])
	if err != nil {
		return err
	}
	l := ledger{run: r, clone: clones[0], patience: patience, holds: make(map[string]*holding)}
	var group sync.WaitGroup
	for w := range writers {
		random := rand.New(rand.NewPCG(r.opts.Seed, uint64(100+w)))
		group.Go(func() { l.write(ctx, w, random) })
	}
	group.Wait()
	answer, err := r.tool.Read(context.WithoutCancel(ctx), clones[0], Question{}) // also of a run that was interrupted
	if err != nil {
		r.Failed++
		r.note("read: %v", err)
	}
	l.count(answer)
	return nil
}

// typical is the median time that a commit takes.
func (r *run) typical(ctx context.Context, clone string) (time.Duration, error) {
	var took []time.Duration
	for n := range 5 {
		began := time.Now()
		if err := r.tool.Commit(ctx, clone, Fact{Key: fmt.Sprintf("domain/first/f%d", n), Text: fmt.Sprintf("Warm-up %d came first.", n)}); err != nil {
			return 0, err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[2], nil
}

// holding is what must be found under a key: the last acknowledged text, or one of a
// later write that was killed and may have arrived.
type holding struct {
	acknowledged string
	perhaps      []string
}

type ledger struct {
	*run
	clone    string
	patience time.Duration

	mu    sync.Mutex
	holds map[string]*holding
}

// write is one writer, which works until all of them have enough. A tool that refuses
// to go on is given up after four times as many attempts.
func (l *ledger) write(ctx context.Context, w int, random *rand.Rand) {
	for n := range 4 * l.opts.Writes {
		l.mu.Lock()
		done := l.Acknowledged
		l.mu.Unlock()
		if done >= l.opts.Writes || ctx.Err() != nil {
			return
		}
		if w == 0 {
			l.opts.Progress("lost writes", done, l.opts.Writes)
		}
		f := Fact{Key: fmt.Sprintf("domain/w%d/f%d", w, n), Text: fmt.Sprintf("Writer %d saw item w%dn%d.", w, w, n)}
		if n > 0 && random.IntN(4) == 0 { // an earlier one in other words
			f.Key = fmt.Sprintf("domain/w%d/f%d", w, random.IntN(n))
		}
		killed, err := l.commit(ctx, f, random)
		l.tally(f, killed, err)
	}
}

// commit is one write, which is killed one time in four.
func (l *ledger) commit(ctx context.Context, f Fact, random *rand.Rand) (killed bool, err error) {
	if random.IntN(4) > 0 {
		err := l.tool.Commit(ctx, l.clone, f)
		return err != nil && ctx.Err() != nil, err
	}
	deadline := time.Duration(random.Int64N(int64(l.patience)*3/2 + 1))
	short, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	err = l.tool.Commit(short, l.clone, f)
	return err != nil && short.Err() != nil, err
}

func (l *ledger) tally(f Fact, killed bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Tried++
	h := l.holds[f.Key]
	if h == nil {
		h = &holding{}
		l.holds[f.Key] = h
	}
	switch {
	case err == nil:
		l.Acknowledged++
		*h = holding{acknowledged: f.Text}
		return
	case killed:
		l.Kills++
	case errors.Is(err, ErrRefused):
		l.Refused++
		return
	default:
		l.Failed++
		l.note("commit: %v", err)
	}
	h.perhaps = append(h.perhaps, f.Text)
}

func (l *ledger) count(answer Answer) {
	found := make(map[string]bool)
	for _, f := range answer.Facts {
		found[f.Text] = true
	}
	for key, h := range l.holds {
		if h.acknowledged == "" || found[h.acknowledged] || slices.ContainsFunc(h.perhaps, func(text string) bool { return found[text] }) {
			continue
		}
		l.Bad++
		l.note("%s: %q was acknowledged and is gone", key, h.acknowledged)
	}
}
