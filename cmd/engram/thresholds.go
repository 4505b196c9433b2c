package main

import (
	"context"
	"strconv"

	"engram/memory"
)

// runThresholds opens no model: its name is enough.
func runThresholds(ctx context.Context, opts detectOptions, io *streams) error {
	if len(opts.args) > 0 || opts.in.Against != "" {
		return usage("--show-thresholds takes no claim", "leave the claim or the option away")
	}
	s, err := opts.settings()
	if err != nil {
		return err
	}
	m, err := opts.openWith(ctx, s, &memory.Options{Models: memory.Models{NLIID: s.nliName()}})
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Thresholds(ctx)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(r)
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }
	io.pairs("", []pair{
		{"model", r.Model}, {"high", number(r.High)}, {"low", number(r.Low)}, {"entail", number(r.Entail)}, {"default", number(r.Default)},
		{"feedback", strconv.Itoa(r.Feedback)}, {"dismissed", strconv.Itoa(r.Dismissed)}, {"step", strconv.Itoa(r.Step)},
		{"revision", io.revision(r.Revision)},
	})
	return nil
}
