package conflicts

import (
	"context"
	"strconv"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

// runThresholds opens no model: its name is enough.
func runThresholds(ctx context.Context, opts detectOptions, args []string) error {
	if len(args) > 0 || opts.in.Against != "" {
		return fault.Usage("--show-thresholds takes no claim", "omit the claim or the option")
	}
	s, err := opts.Settings()
	if err != nil {
		return err
	}
	m, err := opts.OpenWith(ctx, s, &memory.Options{Models: memory.Models{NLIID: s.NLIName()}})
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Thresholds(ctx)
	if err != nil {
		return err
	}
	return term.Print(opts.Out, opts.JSON, r, printThresholds)
}

func printThresholds(out *term.Streams, r memory.ThresholdsResult) {
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }
	out.Pairs("", []term.Pair{
		{"model", r.Model}, {"high", number(r.High)}, {"low", number(r.Low)}, {"entail", number(r.Entail)}, {"default", number(r.Default)},
		{"feedback", strconv.Itoa(r.Feedback)}, {"dismissed", strconv.Itoa(r.Dismissed)}, {"step", strconv.Itoa(r.Step)},
		{"revision", show.Revision(out, r.Revision)},
	})
}
