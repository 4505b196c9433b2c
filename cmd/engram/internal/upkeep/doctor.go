package upkeep

import (
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const doctorLong = `Examine git, the branch, its files, the index, the sessions and the model, and
say how to fix each problem. Exit code 1 if there is a problem.

--fix repairs the indexes, which can be rebuilt without losing anything, and
seals sessions that ended without it. It never changes a fact.

In a pipe it prints, tab-separated: check, ok, fixed or failed, problem, hint.`

// NewDoctorCmd returns "engram doctor".
func NewDoctorCmd(g *app.Globals) *cobra.Command {
	var in memory.DoctorInput
	cmd := &cobra.Command{
		Use: "doctor", Short: "Examine the repository, the memory and the index", Long: doctorLong,
		Example: "  engram doctor\n  engram doctor --fix",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			result, err := app.Show(cmd.Context(), g, g.OpenWithModel, printChecks, func(m *memory.Memory, _ config.Settings) (memory.DoctorResult, error) {
				return m.Doctor(cmd.Context(), in)
			})
			return fault.NoIf(!result.Healthy, err)
		},
	}
	cmd.Flags().BoolVar(&in.Fix, "fix", false, "repair the indexes, and seal sessions that were left")
	return cmd
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
			out.Text("        ", c.Problem)
		}
		if c.Hint != "" && !c.Fixed {
			out.Printf("        %s\n", out.Color.Dim(term.Indented("hint: "+term.Plain(c.Hint), out.Width, "        ")))
		}
	}
	if out.Terminal {
		out.Summary("healthy: " + strconv.FormatBool(r.Healthy))
	}
}
