package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
	"engram/skills/less"
)

const busSchemaLong = `Print a JSON Schema (draft 2020-12) of what goes over the bus, or list their
names. They say what a message looks like; the budgets are configured and not in
them.`

func newBusSchemaCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "schema [NAME]", Short: "Print a JSON Schema of what agents exchange", Long: busSchemaLong,
		Example:           "  engram bus schema\n  engram bus schema child-message > child-message.json",
		ValidArgsFunction: cobra.FixedCompletions(less.Schemas(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{"bus schema takes one name", "`engram bus schema` lists them"}
			}
			return g.io.schemas(args, g.json)
		},
	}
}

type schemaList struct {
	SchemaVersion int      `json:"schema_version"`
	Schemas       []string `json:"schemas"`
}

type schemaText struct {
	SchemaVersion int             `json:"schema_version"`
	Name          string          `json:"name"`
	Schema        json.RawMessage `json:"schema"`
}

func (io *streams) schemas(args []string, asJSON bool) error {
	if len(args) == 0 {
		if asJSON {
			return io.json(schemaList{memory.SchemaVersion, less.Schemas()})
		}
		io.printf("%s\n", strings.Join(less.Schemas(), "\n"))
		return nil
	}
	text, found := less.Schema(args[0])
	if !found {
		return &usageError{"there is no schema " + args[0], "they are " + strings.Join(less.Schemas(), ", ")}
	}
	if asJSON {
		return io.json(schemaText{memory.SchemaVersion, args[0], text})
	}
	io.printf("%s", text)
	return nil
}
