package conflicts

import (
	"context"
	"fmt"
	"strings"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

// judging asks the user at the terminal for verdicts.
type judging struct {
	term.Asker
	judge  func(memory.PairVerdict) (memory.JudgeResult, error)
	reason string // what the command line says already

	judged, skipped int
}

// judgeAll goes through the pairs that nobody has judged.
func judgeAll(ctx context.Context, m *memory.Memory, reason, agent string, out *term.Streams) error {
	found, err := m.Undecided(ctx, memory.UndecidedInput{})
	if err != nil {
		return err
	}
	if len(found.Pairs) == 0 {
		printUndecided(out, found)
		return nil
	}
	d := &judging{Asker: term.NewAsker(ctx, out), reason: reason, judge: func(v memory.PairVerdict) (memory.JudgeResult, error) {
		return m.Judge(ctx, memory.JudgeInput{Verdicts: []memory.PairVerdict{v}, Agent: agent})
	}}
	return d.run(found.Pairs)
}

func (d *judging) run(list []memory.UndecidedPair) error {
	left, err := term.EachOf(d.Asker, list, func(p memory.UndecidedPair) string { return show.ScopeName(p.A.Scope) }, func(p memory.UndecidedPair) error {
		show.Pair(d.Io, p)
		return d.settle(p)
	})
	if err == nil {
		d.Io.Summary(fmt.Sprintf("%d judged, %d left", d.judged, d.skipped+left))
	}
	return err
}

// settle asks about one pair until it is judged or skipped.
func (d *judging) settle(p memory.UndecidedPair) error {
	for {
		v, err := d.choice(p)
		if err != nil {
			return err
		}
		if v.Verdict == "" {
			d.skipped++
			d.Io.Printf("\n")
			return nil
		}
		result, err := d.judge(v)
		if err == nil {
			d.judged++
			printJudged(d.Io, result)
			d.Io.Printf("\n")
			return nil
		}
		again, err := fault.Explain(d.Io, err)
		if !again {
			d.skipped++
			return err
		}
		d.reason = "" // it may be what is wrong
	}
}

const verdictChoices = "  [c] contradict  [a] A is newer  [b] B is newer  [=] same  [h] both hold  [s] skip  [q] quit"

// choice asks for a verdict, and why. The verdict is "" if the pair is skipped.
func (d *judging) choice(p memory.UndecidedPair) (memory.PairVerdict, error) {
	v := memory.PairVerdict{A: p.A.Key.String(), B: p.B.Key.String(), Reason: d.reason}
	for v.Verdict == "" {
		d.Io.Printf("%s\n", verdictChoices)
		answer, err := d.Ask("How do they relate?", "")
		if err != nil {
			return v, err
		}
		switch strings.ToLower(answer) {
		case "c":
			v.Verdict = "contradicts"
		case "a":
			v.Verdict, v.Newer = "evolves", v.A
		case "b":
			v.Verdict, v.Newer = "evolves", v.B
		case "=":
			v.Verdict = "same"
		case "h":
			v.Verdict = "compatible"
		case "s":
			return v, nil
		case "q":
			return v, term.ErrQuit
		}
	}
	for v.Reason == "" {
		var err error
		if v.Reason, err = d.Ask("Why?", ""); err != nil {
			return v, err
		}
	}
	return v, nil
}
