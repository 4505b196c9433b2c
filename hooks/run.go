package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"engram/internal/filelock"
	"engram/memory"
)

// Memory is what hooks need of a memory.
type Memory interface {
	settler
	CheckStaged(context.Context, []memory.StagedFile) (memory.StagedResult, error)
	Share(ctx context.Context, remote string) error
}

// DefaultTimeout is how long a hook may take by default.
const DefaultTimeout = 5 * time.Second

// grace is how long a hook waits after the cancellation of its work.
const grace = 250 * time.Millisecond

// RunOptions say which hook runs, and where.
type RunOptions struct {
	Name   string
	Args   []string // from git
	Place  Place
	Branch string    // the memory branch
	Stdin  io.Reader // for pre-push
	Stderr io.Writer
	// Getenv reads the variables of the hook; only GIT_INDEX_FILE matters.
	Getenv  func(string) string
	Now     func() time.Time
	Timeout time.Duration // 0 means DefaultTimeout
	Push    bool          // a push also pushes the memory
	// Capture makes a commit an event of the session that is at work.
	Capture bool
	Scanner memory.Scanner
	// Open opens the memory; done closes it. Open is called only if there is something to
	// do.
	Open func(context.Context) (m Memory, done func(), err error)
}

// runner is one run of a hook.
type runner struct {
	RunOptions
	seen seen
	now  refState
}

// Run runs a hook and returns its exit status: 0, or Refused. It prints at most a few
// lines, never asks, and keeps its time limit even if the work does not.
//
//  1. pre-commit on the memory branch: check what is staged. A secret stops the
//     commit, and so does a gate that the team set.
//  2. pre-commit on another branch: list the facts whose evidence it changes.
//  3. pre-push: push the memory too, if configured.
//  4. All others: settle what was fetched. post-commit first notes the commit in the
//     session of an agent that is at work here.
func Run(ctx context.Context, o RunOptions) (exit int) {
	if !IsHook(o.Name) || o.Getenv(Inside) != "" {
		return 0
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	r := &runner{RunOptions: o}
	if r.Name == PostCommit && r.Capture {
		r.captureCommit(ctx)
	}
	r.look()
	if r.idle() {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	type outcome struct {
		exit  int
		lines []string
	}
	done := inBackground(func() outcome {
		exit, lines := r.work(ctx)
		return outcome{exit, lines}
	}, func(fault any) outcome {
		return outcome{0, []string{fmt.Sprintf("%s was skipped because of an internal error: %v", o.Name, fault)}}
	})
	select {
	case end := <-done:
		say(o.Stderr, end.lines...)
		return end.exit
	case <-time.After(o.Timeout + grace):
		say(o.Stderr, r.late()...)
	}
	return 0
}

// commitTime bounds the note about a commit, which git waits for.
const commitTime = 100 * time.Millisecond

// captureCommit notes the commit that was made in the session that is at work here. A
// commit of facts is none of the code. It fails silently: the commit is in git.
func (r *runner) captureCommit(ctx context.Context) {
	if r.Place.WorkTree == "" || r.Place.onBranch(r.Branch) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, commitTime)
	defer cancel()
	done := inBackground(func() error {
		hash, branch := r.Place.head()
		if hash == "" {
			return nil
		}
		subject, at := readCommit(r.Place, hash)
		if at.IsZero() {
			at = r.Now().UTC().Truncate(time.Second)
		}
		_, err := memory.CaptureCommit(ctx, r.Scanner, memory.CaptureCommitInput{
			CommonDir: r.Place.CommonDir, WorkTree: realPath(r.Place.WorkTree), Commit: hash, Subject: oneLine(subject), Branch: branch, At: at, Now: r.Now(),
		})
		return err
	}, func(any) error { return errors.New("internal error") })
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// idle reports whether there is nothing to do, by a few small files alone.
func (r *runner) idle() bool {
	settled := r.now == r.seen.Settled
	switch r.Name {
	case PreCommit:
		return !r.Place.onBranch(r.Branch) && settled && !r.seen.Evidence
	case PrePush:
		return !r.Push || len(r.Args) == 0
	}
	return settled || r.Now().Before(r.seen.Rest)
}

func (r *runner) work(ctx context.Context) (exit int, lines []string) {
	var err error
	switch {
	case r.Name == PreCommit && r.Place.onBranch(r.Branch):
		exit, lines, err = r.checkFacts(ctx)
	case r.Name == PreCommit:
		lines, err = r.listEvidence(ctx)
	case r.Name == PrePush:
		lines, err = r.share(ctx)
	default:
		lines, err = r.settle(ctx)
	}
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		return 0, nil
	case ctx.Err() != nil:
		return exit, append(lines, r.late()...)
	case err != nil:
		return exit, append(lines, r.complain(err)...)
	}
	return exit, lines
}

// late reports that the time was not enough, and lets the next hooks rest.
func (r *runner) late() []string {
	if r.Name == PreCommit || r.Name == PrePush {
		return []string{fmt.Sprintf("%s took longer than %s and was skipped", r.Name, r.Timeout)}
	}
	s := readSeen(r.Place, r.Branch) // the cancelled work may still use r.seen
	s.Late++
	s.Rest = r.Now().Add(restAfter(s.Late))
	_ = s.write(r.Place) // after an error the next hook tries again
	return []string{fmt.Sprintf("the audit of the facts that arrived takes longer than %s; run `engram audit`", r.Timeout)}
}

// complain reports a problem, at most once a day.
func (r *runner) complain(err error) []string {
	text := err.Error()
	if r.seen.Problem == text && r.Now().Sub(r.seen.Told) < 24*time.Hour {
		return nil
	}
	r.seen.Problem, r.seen.Told = text, r.Now()
	_ = r.seen.write(r.Place) // after an error it is reported again
	return []string{r.Name + " was skipped: " + text}
}

// settle merges what was fetched into the memory. If several hooks run at once, one does
// the work, and the next one sees what the others ran for.
func (r *runner) settle(ctx context.Context) ([]string, error) {
	release, held, err := filelock.Try(r.Place.state(runLock), filelock.Exclusive)
	if err != nil || !held {
		return nil, err
	}
	defer func() { _ = release() }()
	r.look()
	if r.now == r.seen.Settled {
		return nil, nil
	}
	if valueOf(r.Place, "refs/heads/"+r.Branch) == "" { // there is no memory branch
		return nil, seen{Format: seenFormat, Branch: r.Branch, Settled: r.now}.write(r.Place)
	}
	m, done, err := r.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	result, anyEvidence, err := settle(ctx, m, memory.SettleInput{Budget: r.Timeout / 2})
	if err == nil {
		err = r.remember(result, anyEvidence)
	}
	return lineOf(result), err
}

// settler is what settling needs of a memory.
type settler interface {
	Settle(context.Context, memory.SettleInput) (memory.SettleResult, error)
	Evidence(context.Context, []memory.TouchedFile) (memory.EvidenceResult, error)
}

// settle settles what was fetched, and reports whether any fact has evidence in files.
func settle(ctx context.Context, m settler, in memory.SettleInput) (result memory.SettleResult, anyEvidence bool, err error) {
	if result, err = m.Settle(ctx, in); err != nil {
		return memory.SettleResult{}, false, err
	}
	evidence, err := m.Evidence(ctx, nil)
	return result, evidence.Any, err
}

// remember records that everything is settled, unless a reference has moved for another
// reason in the meantime: that is for the next hook.
func (r *runner) remember(result memory.SettleResult, anyEvidence bool) error {
	after := look(r.Place, r.Branch, result.Bound)
	if after.Remotes != r.now.Remotes || after.Local != result.Revision && after.Local != r.now.Local {
		return nil
	}
	s := seen{Format: seenFormat, Branch: r.Branch, Settled: after, Evidence: anyEvidence, Bound: result.Bound}
	return s.write(r.Place)
}

// inBackground runs work in a goroutine and returns a channel that gets its result, or the
// result of recovered if work panics.
func inBackground[T any](work func() T, recovered func(fault any) T) <-chan T {
	result := make(chan T, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				result <- recovered(fault)
			}
		}()
		result <- work()
	}()
	return result
}

// look reads the remembered state and the present one.
func (r *runner) look() {
	r.seen = readSeen(r.Place, r.Branch)
	r.now = look(r.Place, r.Branch, r.seen.Bound)
}

// maxLine is the greatest length of a line in characters.
const maxLine = 200

// say writes lines to standard error. Their text may come from anybody who can write to the
// branch.
func say(w io.Writer, lines ...string) {
	for _, line := range lines {
		prefix := "engram: "
		if strings.HasPrefix(line, " ") {
			prefix = ""
		}
		fmt.Fprintln(w, cut(clean(prefix+line), maxLine))
	}
}

// clean replaces characters that could control a terminal or start a line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, s)
}

func cut(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
