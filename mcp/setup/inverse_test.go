package setup_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"engram/mcp/setup"
)

// settings are files of JSON as people write them, one member a line: comments
// above, behind and below them, commas behind the last one, line ends of both kinds.
func settings() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
		nl, unit := pick("line end", "\n", "\r\n"), pick("indentation", "  ", "\t", "    ")
		indented := strings.NewReplacer("\n", nl, "\t", unit)
		var b strings.Builder
		b.WriteString(pick("head", "", "\ufeff", "// head\n") + "{\n")
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "ui"}), 1, 3, rapid.ID).Draw(t, "names")
		if others := pick("others", "", "mcpServers", "hooks"); others != "" {
			names = append(names, others)
		}
		for i, name := range names {
			value := pick("value", "1", "{}", "\"x // y\"", "[\n\t\t1 // one\n\t]")
			switch name {
			case "mcpServers":
				value = "{\n\t\t\"x\": {}" + pick("tail", "", ",", " // x", ", // x", "\n\t\t// last", "\n\t\t/* last */") + "\n\t}"
			case "hooks":
				value = "{\n\t\t\"Stop\": [\n\t\t\t{ \"hooks\": [] }" + pick("tail", "", ",", "\n\t\t\t// last") + "\n\t\t]\n\t}"
			}
			b.WriteString(pick("above", "", "\t// above\n", "\n") + "\t\"" + name + "\": " + value)
			if i < len(names)-1 {
				b.WriteString(",")
			} else {
				b.WriteString(pick("last comma", "", ","))
			}
			b.WriteString(pick("behind", "", " // behind", " /* behind */", " ") + "\n")
		}
		b.WriteString(pick("below", "", "\t// below\n", "\t// one\n\t// two\n", "\n\t/* below */\n"))
		b.WriteString("}" + pick("end", "", "\n", "\n\n"))
		return indented.Replace(b.String())
	})
}

// TestTakenToTheByte: what one or several edits put into a file goes again to the
// byte, where nobody knows what was before.
func TestTakenToTheByte(t *testing.T) {
	server, hooks, flat, opencode := setup.ServerEdit("mcpServers"), setup.HooksEdit(), setup.FlatHooksEdit(), setup.OpenCodeEdit()
	rapid.Check(t, func(rt *rapid.T) {
		text := settings().Draw(rt, "text")
		edits := rapid.SampledFrom([][]setup.Edit{{server}, {hooks}, {flat}, {opencode}, {server, hooks}}).Draw(rt, "edits")
		put := text
		var err error
		for _, e := range edits {
			if put, err = e.Put(put); err != nil {
				rt.Fatal(err)
			}
		}
		taken := put
		for _, e := range edits {
			if taken, err = e.Take(taken, ""); err != nil {
				rt.Fatal(err)
			}
		}
		if taken != text {
			rt.Fatalf("%q\nbecame\n%q\nand then\n%q", text, put, taken)
		}
	})
}
