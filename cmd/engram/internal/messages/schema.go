package messages

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/topics"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
	"engram/skills/less"
)

const busSchemaLong = `Print a JSON Schema (draft 2020-12) of what agents exchange; without NAME list
the names of the schemas. A schema describes the form of a message, not the
budgets, which are configured. --template prints a message to fill in; see
engram help messages.`

func newBusSchemaCmd(g *app.Globals) *cobra.Command {
	var template string
	cmd := &cobra.Command{
		Use: "schema [NAME]", Short: "Print a JSON Schema of what agents exchange", Long: busSchemaLong,
		Example:           "  engram bus schema\n  engram bus schema child-message > child-message.json\n  engram bus schema --template child > report.yml",
		ValidArgsFunction: cobra.FixedCompletions(less.Schemas(), cobra.ShellCompDirectiveNoFileComp),
		Args:              app.AtMostOne("name", "`engram bus schema` lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			if template != "" {
				return printTemplate(g.Out, template, args, g.JSON)
			}
			return printSchemas(g.Out, args, g.JSON)
		},
	}
	cmd.Flags().StringVar(&template, "template", "", "print an example of a message instead, to fill in: child or parent")
	app.CompleteWith(cmd, "template", cobra.FixedCompletions([]string{"child", "parent"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// printTemplate prints a message that is fine, to be filled in.
func printTemplate(out *term.Streams, name string, args []string, asJSON bool) error {
	text, found := map[string]string{"child": topics.ChildTemplate, "parent": topics.ParentTemplate}[name]
	switch {
	case !found:
		return fault.Usage("there is no template "+name, "they are child and parent")
	case len(args) > 0 || asJSON:
		return fault.Usage("a template is YAML, and of no schema", "omit NAME and --json")
	}
	for line := range strings.Lines(text) {
		out.Printf("%s", strings.TrimPrefix(line, "  "))
	}
	return nil
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

func printSchemas(out *term.Streams, args []string, asJSON bool) error {
	if len(args) == 0 {
		return term.Print(out, asJSON, schemaList{memory.SchemaVersion, less.Schemas()}, func(out *term.Streams, r schemaList) {
			out.Printf("%s\n", strings.Join(r.Schemas, "\n"))
		})
	}
	text, found := less.Schema(args[0])
	if !found {
		return fault.Usage("there is no schema "+args[0], "they are "+strings.Join(less.Schemas(), ", "))
	}
	return term.Print(out, asJSON, schemaText{memory.SchemaVersion, args[0], text}, func(out *term.Streams, r schemaText) {
		out.Printf("%s", r.Schema)
	})
}
