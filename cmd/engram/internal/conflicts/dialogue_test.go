package conflicts

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/term"
	"engram/memory"
)

// talk runs a dialogue about conflicts with scripted answers, and returns what it
// settled and what it wrote.
func talk(t *testing.T, answers string, given memory.ResolveInput, list []memory.Conflict, fails map[string]error) (settled []string, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	d := &dialogue{
		Asker: term.NewAsker(t.Context(), &term.Streams{
			In: strings.NewReader(answers), Data: bufio.NewWriter(&stdout), Err: &stderr, Terminal: true, Width: 80, Now: time.Now,
			Progress: term.NewProgress(&stderr, false, time.Now),
		}),
		given: given, ended: map[string]bool{},
		resolve: func(in memory.ResolveInput) (memory.ResolveResult, error) {
			if err := fails[in.Reason]; err != nil {
				return memory.ResolveResult{}, err
			}
			settled = append(settled, fmt.Sprintf("%s %s%s%s: %s", in.ConflictID, in.How, in.Winner, in.MergedClaim, in.Reason))
			closed := map[string][]string{"a": {"domain/x/b"}, "b": {"domain/x/a"}}[in.Winner]
			return memory.ResolveResult{ConflictID: in.ConflictID, How: in.How, Closed: closed}, nil
		},
	}
	if err := d.run(list); err != nil {
		t.Fatal(err)
	}
	if err := d.Io.Flush(); err != nil {
		t.Fatal(err)
	}
	return settled, stdout.String(), stderr.String()
}

func openConflict(id, keyA, keyB string) memory.Conflict {
	c := memory.Conflict{ConflictID: id, Status: show.StatusOpen, KeyA: keyA, KeyB: keyB, Recorded: true}
	c.Severity, c.Explanation, c.Verdict = show.SeverityHigh, "10 here, 20 there", "contradiction"
	c.A, c.B = &memory.Fact{Claim: "The pool has 10 connections."}, &memory.Fact{Claim: "The pool has 20 connections."}
	return c
}

func TestDialogue(t *testing.T) {
	one, two := openConflict("11111111", "domain/x/a", "domain/x/b"), openConflict("22222222", "domain/x/c", "domain/x/d")
	shared := openConflict("33333333", "domain/x/b", "domain/x/c")
	update := one
	update.Verdict, update.Newer = show.VerdictEvolution, "b"
	secret := map[string]error{"token": &memory.SecretError{Field: "reason", Rule: "token"}, "late": memory.ErrSettled}
	for name, c := range map[string]struct {
		answers string
		given   memory.ResolveInput
		list    []memory.Conflict
		want    []string
		shows   string
	}{
		"each way": {"a\nas deployed\nd\ntwo pools\n", memory.ResolveInput{}, []memory.Conflict{one, two},
			[]string{"11111111 winnera: as deployed", "22222222 dismissed: two pools"}, "2 settled, 0 left open"},
		"merge":             {"m\n\nM\nThe pool grows.\nelastic\n", memory.ResolveInput{}, []memory.Conflict{one}, []string{"11111111 mergeThe pool grows.: elastic"}, "1 settled"},
		"nonsense, nothing": {"x\n\nB \n\n \nwhy not\n", memory.ResolveInput{}, []memory.Conflict{one}, []string{"11111111 winnerb: why not"}, "1 settled"},
		"skip and quit":     {"s\nq\n", memory.ResolveInput{}, []memory.Conflict{one, two}, nil, "0 settled, 2 left open"},
		"the end of input":  {"a", memory.ResolveInput{}, []memory.Conflict{one, two}, nil, "0 settled, 2 left open"},
		"an update":         {"\n\n", memory.ResolveInput{}, []memory.Conflict{update}, []string{"11111111 winnerb: newer state"}, "[newer state]"},
		"an update that is none": {"d\n\nnot the same\n", memory.ResolveInput{}, []memory.Conflict{update},
			[]string{"11111111 dismissed: not the same"}, "1 settled"},
		"a reason for all": {"a\nb\n", memory.ResolveInput{Reason: "reviewed"}, []memory.Conflict{one, two},
			[]string{"11111111 winnera: reviewed", "22222222 winnerb: reviewed"}, "2 settled"},
		"ended on the way": {"a\nfirst\n", memory.ResolveInput{}, []memory.Conflict{one, shared},
			[]string{"11111111 winnera: first"}, "domain/x/b no longer stands"},
		"refused, asked again": {"a\ntoken\na\nas deployed\n", memory.ResolveInput{}, []memory.Conflict{one}, []string{"11111111 winnera: as deployed"}, "1 settled"},
		"given and refused":    {"a\na\nas deployed\n", memory.ResolveInput{Reason: "token"}, []memory.Conflict{one}, []string{"11111111 winnera: as deployed"}, "1 settled"},
		"somebody was faster":  {"a\nlate\nd\ntwo pools\n", memory.ResolveInput{}, []memory.Conflict{one, two}, []string{"22222222 dismissed: two pools"}, "1 settled, 1 left open"},
	} {
		t.Run(name, func(t *testing.T) {
			got, out, errs := talk(t, c.answers, c.given, c.list, secret)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("settled (-want +got):\n%s", diff)
			}
			if !strings.Contains(out, c.shows) {
				t.Errorf("it does not show %q:\n%s", c.shows, out)
			}
			if refused := strings.Contains(c.answers+c.given.Reason, "token"); refused != strings.Contains(errs, "looks like a secret") {
				t.Errorf("messages: %s", errs)
			}
		})
	}
}

// TestDialogueEndsOnFailure does not go on where nothing can be written.
func TestDialogueEndsOnFailure(t *testing.T) {
	broken := errors.New("the disk is gone")
	d := &dialogue{
		Asker: term.NewAsker(t.Context(), &term.Streams{
			In: strings.NewReader("a\nr\na\nr\n"), Data: bufio.NewWriter(&bytes.Buffer{}), Terminal: true, Width: 80, Now: time.Now, Progress: term.NewProgress(nil, false, time.Now),
		}),
		ended:   map[string]bool{},
		resolve: func(memory.ResolveInput) (memory.ResolveResult, error) { return memory.ResolveResult{}, broken },
	}
	c := openConflict("11111111", "domain/x/a", "domain/x/b")
	if err := d.run([]memory.Conflict{c, c}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
