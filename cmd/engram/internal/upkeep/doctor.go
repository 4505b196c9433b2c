package upkeep

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type doctorOptions struct {
	*app.Globals
	fix bool
}

const doctorLong = `Examine git, the branch, its files, the index and the model, and say how to fix
each problem. Exit code 1 if there is a problem.

--fix repairs the index, which can be rebuilt without losing anything. It never
changes a fact.

In a pipe it prints, tab-separated: check, ok, fixed or failed, problem, hint.`

// NewDoctorCmd returns "engram doctor".
func NewDoctorCmd(g *app.Globals) *cobra.Command {
	opts := doctorOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "doctor", Short: "Examine the repository, the memory and the index", Long: doctorLong,
		Example: "  engram doctor\n  engram doctor --fix",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), opts, g.Out) },
	}
	cmd.Flags().BoolVar(&opts.fix, "fix", false, "repair the index")
	return cmd
}

func runDoctor(ctx context.Context, opts doctorOptions, out *term.Streams) error {
	m, _, done, err := opts.OpenWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := m.Doctor(ctx, memory.DoctorInput{Fix: opts.fix})
	if err != nil {
		return err
	}
	if opts.JSON {
		err = out.JSON(result)
	} else {
		printChecks(out, result)
	}
	if err == nil && !result.Healthy {
		err = fault.ErrAnsweredNo
	}
	return err
}

func printChecks(out *term.Streams, r memory.DoctorResult) {
	for _, c := range r.Checks {
		state, painted := "ok", out.Color.Green("ok    ")
		switch {
		case c.Fixed:
			state, painted = "fixed", out.Color.Yellow("fixed ")
		case !c.OK:
			state, painted = "failed", out.Color.Red("failed")
		}
		if !out.Terminal {
			out.Row(c.Name, state, c.Problem, c.Hint)
			continue
		}
		out.Printf("%s  %s\n", painted, c.Name)
		if c.Problem != "" {
			out.Printf("        %s\n", term.Indented(term.Plain(c.Problem), out.Width, "        "))
		}
		if c.Hint != "" && !c.Fixed {
			out.Printf("        %s\n", out.Color.Dim(term.Indented("hint: "+term.Plain(c.Hint), out.Width, "        ")))
		}
	}
	if out.Terminal {
		out.Printf("%s\n", out.Color.Dim("healthy: "+strconv.FormatBool(r.Healthy)))
	}
}
