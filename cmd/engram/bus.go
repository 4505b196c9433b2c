package main

import "github.com/spf13/cobra"

const busLong = `What agents say to each other, and how much of it.`

const busExample = `  engram bus submit report.yml --agent reviewer-1`

func newBusCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{Use: "bus", Short: "Messages between agents", Long: busLong, Example: busExample}
	cmd.AddCommand(newBusSubmitCmd(g), newBusTaskCmd(g), newBusResultCmd(g))
	return cmd
}
