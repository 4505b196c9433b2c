package main

import "github.com/spf13/cobra"

const busLong = `What agents say to each other, and how much of it.`

const busExample = `  engram bus validate report.yml
  engram bus submit report.yml --agent reviewer-1
  engram bus schema child-message`

func newBusCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{Use: "bus", Short: "Messages between agents", Long: busLong, Example: busExample}
	cmd.AddCommand(newBusValidateCmd(g), newBusSchemaCmd(g))
	cmd.AddCommand(newBusSubmitCmd(g), newBusTaskCmd(g), newBusResultCmd(g))
	cmd.AddCommand(newBusSkillCmd(g))
	return cmd
}
