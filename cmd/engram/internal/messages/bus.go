// Package messages has the commands of "engram bus": what agents send each other,
// their budgets and grants.
package messages

import (
	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
)

const busLong = `What agents say to each other, and how much of it.`

const busExample = `  engram bus validate report.yml
  engram bus submit report.yml --agent reviewer-1
  engram bus grant services/ledger.go:1-220 --to reviewer-1
  engram bus skill skills/less`

// NewBusCmd returns "engram bus".
func NewBusCmd(g *app.Globals) *cobra.Command {
	return app.Group(&cobra.Command{
		Use: "bus", SuggestionsMinimumDistance: 2, Short: "Messages, budgets and grants between agents", Long: busLong, Example: busExample,
	}, newBusValidateCmd(g), newBusSchemaCmd(g), newBusSubmitCmd(g), newBusTaskCmd(g), newBusResultCmd(g), newBusFindingsCmd(g), newBusGrantCmd(g), newBusGrantsCmd(g),
		newBusRevokeCmd(g), newBusTurnCmd(g), newBusMetricsCmd(g), newBusLogCmd(g), newBusSkillCmd(g))
}
