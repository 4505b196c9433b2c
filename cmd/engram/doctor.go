package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/memory"
)

type doctorOptions struct {
	*globals
	fix bool
}

const doctorLong = `Examine git, the branch, its files, the index and the model, and say what to do
about what is wrong. Exit code 1 where something is.

--fix mends what can be mended without losing anything: the index. It never
changes a fact.

In a pipe it prints, tab-separated: check, ok, fixed or failed, problem, hint.`

func newDoctorCmd(g *globals) *cobra.Command {
	opts := doctorOptions{globals: g}
	cmd := &cobra.Command{
		Use: "doctor", Short: "Examine the repository, the memory and the index", Long: doctorLong,
		Example: "  engram doctor\n  engram doctor --fix",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDoctor(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().BoolVar(&opts.fix, "fix", false, "mend what can be mended without losing anything")
	return cmd
}

func runDoctor(ctx context.Context, opts doctorOptions, io *streams) error {
	m, _, done, err := opts.openWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := m.Doctor(ctx, memory.DoctorInput{Fix: opts.fix})
	if err != nil {
		return err
	}
	if opts.json {
		err = io.json(result)
	} else {
		io.checks(result)
	}
	if err == nil && !result.Healthy {
		err = errAnsweredNo
	}
	return err
}

func (io *streams) checks(r memory.DoctorResult) {
	for _, c := range r.Checks {
		state, painted := "ok", io.color.green("ok    ")
		switch {
		case c.Fixed:
			state, painted = "fixed", io.color.yellow("fixed ")
		case !c.OK:
			state, painted = "failed", io.color.red("failed")
		}
		if !io.terminal {
			io.row(c.Name, state, c.Problem, c.Hint)
			continue
		}
		io.printf("%s  %s\n", painted, c.Name)
		if c.Problem != "" {
			io.printf("        %s\n", indented(plain(c.Problem), io.width, "        "))
		}
		if c.Hint != "" && !c.Fixed {
			io.printf("        %s\n", io.color.dim(indented("hint: "+plain(c.Hint), io.width, "        ")))
		}
	}
	if io.terminal {
		io.printf("%s\n", io.color.dim("healthy: "+strconv.FormatBool(r.Healthy)))
	}
}
