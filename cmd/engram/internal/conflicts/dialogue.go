package conflicts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

// dialogue settles conflicts with the user at the terminal.
type dialogue struct {
	term.Asker
	resolve func(memory.ResolveInput) (memory.ResolveResult, error)
	given   memory.ResolveInput // what the command line says already

	settled, skipped int
	ended            map[string]bool // keys that were closed on the way
}

// converse goes through the open conflicts, or those that were named.
func converse(ctx context.Context, m *memory.Memory, ids []string, given memory.ResolveInput, out *term.Streams) error {
	in := memory.ConflictsInput{}
	if len(ids) > 0 {
		in.Status, in.Key = memory.AllStatuses, strings.TrimPrefix(ids[0], show.ConflictFolder)
	}
	result, err := m.Conflicts(ctx, in)
	if err != nil {
		return err
	}
	list := result.Conflicts
	if len(ids) > 0 {
		if len(list) == 0 {
			return fmt.Errorf("%w: %s", memory.ErrNoConflict, in.Key)
		}
		if list = slices.DeleteFunc(list, func(c memory.Conflict) bool { return !show.IsOpen(c) }); len(list) == 0 {
			return fmt.Errorf("%w: %s", memory.ErrSettled, in.Key)
		}
	}
	if len(list) == 0 {
		printNoConflicts(out, result, in)
		return nil
	}
	d := &dialogue{
		Asker: term.NewAsker(ctx, out), given: given, ended: make(map[string]bool),
		resolve: func(in memory.ResolveInput) (memory.ResolveResult, error) { return m.Resolve(ctx, in) },
	}
	return d.run(list)
}

func (d *dialogue) run(list []memory.Conflict) error {
	left, err := term.EachOf(d.Asker, list, func(c memory.Conflict) string { return show.ScopeName(c.Scope) }, func(c memory.Conflict) error {
		show.Conflict(d.Io, c)
		return d.settle(c)
	})
	if err == nil {
		d.Io.Summary(fmt.Sprintf("%d settled, %d left open", d.settled, d.skipped+left))
	}
	return err
}

// settle asks about one conflict until it is settled or skipped.
func (d *dialogue) settle(c memory.Conflict) error {
	for _, key := range []string{c.KeyA, c.KeyB} {
		if d.ended[key] {
			d.Io.Printf("  %s no longer stands; the next audit closes this conflict\n\n", term.Plain(key))
			return nil
		}
	}
	for {
		in, err := d.choice(c)
		if err != nil {
			return err
		}
		if in.How == "" {
			d.skipped++
			d.Io.Printf("\n")
			return nil
		}
		result, err := d.resolve(in)
		if err == nil {
			d.done(result)
			return nil
		}
		again, err := fault.Explain(d.Io, err)
		if !again {
			d.skipped++
			return err
		}
		d.given.Reason = "" // it may be what is wrong
	}
}

func (d *dialogue) done(r memory.ResolveResult) {
	d.settled++
	for _, key := range r.Closed {
		d.ended[key] = true
	}
	printResolution(d.Io, r)
	d.Io.Printf("\n")
}

// choice asks what holds, and why. How is "" if the conflict is skipped.
func (d *dialogue) choice(c memory.Conflict) (memory.ResolveInput, error) {
	in, newer := d.given, ""
	in.ConflictID, in.SeenA, in.SeenB = c.ConflictID, c.VersionA, c.VersionB
	if c.Verdict == show.VerdictEvolution {
		newer = c.Newer
	}
	if err := d.how(&in, newer); err != nil || in.How == "" {
		return in, err
	}
	reason := ""
	if in.Winner != "" && in.Winner == newer {
		reason = "newer state"
	}
	for in.Reason == "" {
		var err error
		if in.Reason, err = d.Ask("Why?", reason); err != nil {
			return in, err
		}
	}
	return in, nil
}

const choices = "  [a] A stands  [b] B stands  [m] merge  [d] no conflict  [s] skip  [q] quit"

// how asks what holds until it is told; newer is what an empty line stands for.
func (d *dialogue) how(in *memory.ResolveInput, newer string) error {
	for in.How == "" {
		d.Io.Printf("%s\n", choices)
		answer, err := d.Ask("What holds?", newer)
		if err != nil {
			return err
		}
		switch answer = strings.ToLower(answer); answer {
		case "a", "b":
			in.How, in.Winner = "winner", answer
		case "d":
			in.How = "dismissed"
		case "s":
			return nil
		case "q":
			return term.ErrQuit
		case "m":
			if in.MergedClaim, err = d.Ask("The claim that holds:", ""); err != nil {
				return err
			}
			if in.MergedClaim != "" {
				in.How = "merge"
			}
		}
	}
	return nil
}
