// Package messages has the commands of "engram bus": what agents send each other,
// their budgets and grants.
package messages

import (
	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
)

const busLong = `What agents say to each other, and how much of it.`

const busExample = `  engram bus validate report.yml
  engram bus submit report.yml --agent reviewer-1
  engram bus grant services/ledger.go:1-220 --to reviewer-1
  engram bus skill skills/less`

func NewBusCmd(g *app.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "bus", SuggestionsMinimumDistance: 2, Short: "Messages, budgets and grants between agents", Long: busLong, Example: busExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := "`engram bus --help` lists what there is"
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "did you mean `engram bus " + near[0] + "`?"
			}
			return fault.Usage("there is no command bus "+args[0], hint)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBusValidateCmd(g), newBusSchemaCmd(g), newBusSubmitCmd(g), newBusTaskCmd(g), newBusResultCmd(g))
	cmd.AddCommand(newBusGrantCmd(g), newBusGrantsCmd(g), newBusRevokeCmd(g), newBusTurnCmd(g), newBusMetricsCmd(g), newBusLogCmd(g), newBusSkillCmd(g))
	return cmd
}
