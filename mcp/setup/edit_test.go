package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"engram/mcp/setup"
)

// editOf is the edit that the first line of a case names.
func editOf(t *testing.T, line string) setup.Edit {
	t.Helper()
	words := strings.Fields(line)
	switch words[0] {
	case "server":
		return setup.ServerEdit(words[1], append([]string(nil), words[2:]...)...)
	case "opencode":
		return setup.OpenCodeEdit()
	case "hooks":
		return setup.HooksEdit()
	case "flathooks":
		return setup.FlatHooksEdit()
	case "toml":
		return setup.TOMLEdit(append([]string(nil), words[1:]...)...)
	}
	t.Fatalf("no edit %s", line)
	return setup.Edit{}
}

// TestEdits: each case has a file before, with engram's part, and after that was
// taken out again where nobody knows what was before. The three are golden.
func TestEdits(t *testing.T) {
	cases, err := filepath.Glob("testdata/edits/*.txtar")
	must(t, err)
	if len(cases) < 20 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			must(t, err)
			kind, _, _ := strings.Cut(string(archive.Comment), "\n")
			e := editOf(t, kind)
			before := string(archive.Files[0].Data)
			if strings.HasSuffix(path, "no-newline.txtar") {
				before = strings.TrimSuffix(before, "\n") // which the format cannot show
			}
			after, err := e.Put(before)
			must(t, err)
			taken, err := e.Take(after, "")
			must(t, err)
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "after", Data: []byte(after)}, txtar.File{Name: "taken", Data: []byte(taken)})
				must(t, os.WriteFile(path, txtar.Format(archive), 0o644))
				return
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), after); diff != "" {
				t.Errorf("put:\n%s", diff)
			}
			if diff := cmp.Diff(strings.TrimSuffix(string(archive.Files[2].Data), "\n"), strings.TrimSuffix(taken, "\n")); diff != "" {
				t.Errorf("take:\n%s", diff)
			}
			checkEdit(t, e, before)
		})
	}
}

// checkEdit holds an edit against what is promised of every text that it takes.
func checkEdit(t *testing.T, e setup.Edit, text string) {
	t.Helper()
	put, err := e.Put(text)
	if err != nil {
		if put != "" && put != text {
			t.Errorf("%q was refused and became %q", text, put)
		}
		return
	}
	if !e.Holds(put) {
		t.Errorf("%q became %q, in which nothing is engram's", text, put)
	}
	if !e.Holds(text) && !within(text, put) {
		t.Errorf("%q became %q, which lost some of it", text, put)
	}
	if again, err := e.Put(put); err != nil || again != put {
		t.Errorf("done twice, %q became %q, then %q, %v", text, put, again, err)
	}
	taken, err := e.Take(put, text)
	if err != nil {
		t.Errorf("%q became %q, and cannot be taken out: %v", text, put, err)
		return
	}
	if e.Holds(taken) {
		t.Errorf("%q became %q, then %q, and something is left", text, put, taken)
	}
	if none, err := e.Take(taken, text); err != nil || none != taken {
		t.Errorf("taken out twice, %q became %q, %v", taken, none, err)
	}
}

// within reports whether all bytes of a text are in another, in their order.
func within(text, in string) bool {
	i := 0
	for j := 0; i < len(text) && j < len(in); j++ {
		if in[j] == text[i] {
			i++
		}
	}
	return i == len(text)
}

// TestEditsKeepForm: byte order marks and line breaks of both kinds.
func TestEditsKeepForm(t *testing.T) {
	for name, c := range map[string]struct {
		edit         setup.Edit
		before, want string
	}{
		"json, CRLF and mark": {
			setup.ServerEdit("mcpServers"), "\ufeff{\r\n  \"a\": 1\r\n}",
			"\ufeff{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"engram\": {\r\n      \"type\": \"stdio\",\r\n      \"command\": \"engram\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}",
		},
		"json, a line comment last": {
			setup.ServerEdit("m"), "{\n  \"a\": 1 // one\n}\n",
			"{\n  \"a\": 1, // one\n  \"m\": {\n    \"engram\": {\n      \"type\": \"stdio\",\n      \"command\": \"engram\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n",
		},
		"toml, CRLF and mark": {
			setup.TOMLEdit(), "\ufeffa = 1\r\n",
			"\ufeffa = 1\r\n\r\n[mcp_servers.engram]\r\ncommand = \"engram\"\r\nargs = [\"mcp\"]\r\n",
		},
		"block, no newline": {
			setup.BlockEdit("Text."), "# Ours\r\nx",
			"# Ours\r\nx\r\n\r\n<!-- engram:begin -->\r\n<!-- `engram setup` keeps this part up to date, and added the empty line above and the line end before it: write above or below it. -->\r\n\r\nText.\r\n\r\n<!-- engram:end -->\r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.edit.Put(c.before)
			must(t, err)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			checkEdit(t, c.edit, c.before)
		})
	}
}

// TestEditsRefuse: what cannot be read, or is of another shape, is left alone.
func TestEditsRefuse(t *testing.T) {
	json, hooks, toml, block := setup.ServerEdit("mcpServers"), setup.HooksEdit(), setup.TOMLEdit(), setup.BlockEdit("x")
	for _, c := range []struct {
		edit       setup.Edit
		text, want string
	}{
		{json, "", "line 1, column 1: the text ends"},
		{json, "{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: a comma or a bracket is missing"},
		{json, "{\"a\": tru}", "not a JSON value"},
		{json, "{} {}", "something follows"},
		{json, "[]", "is not a JSON object"},
		{json, "{\"mcpServers\": []}", `"mcpServers" is not an object`},
		{json, "{\"mcpServers\": null}", `"mcpServers" is not an object`},
		{json, "{\"mcpServers\": {}, \"mcpServers\": {}}", `names "mcpServers" twice`},
		{json, "{\"mcpServers\": {\"engram\": {\"command\": \"x\"}, \"engram\": {\"command\": \"y\"}}}", `names "engram" twice`},
		{json, "{\"a\": /* ", "a comment does not end"},
		{json, "{\"a\": \"x", "a string does not end"},
		{json, strings.Repeat("[", 300), "nested too deeply"},
		{hooks, "{\"hooks\": []}", `"hooks" is not an object`},
		{hooks, "{\"hooks\": {\"Stop\": {}}}", `"Stop" is not a list`},
		{toml, "a = ", "line 1"},
		{toml, "mcp_servers = 1\n", "mcp_servers is not a table"},
		{toml, "[[mcp_servers]]\na = 1\n", "mcp_servers is not a table"},
		{toml, "[mcp_servers]\nengram = 1\n", "mcp_servers.engram is not a table"},
		{block, "<!-- engram:begin -->\n", "markers of engram's block are damaged"},
		{block, "<!-- engram:end -->\n<!-- engram:begin -->\n", "markers of engram's block are damaged"},
		{block, strings.Repeat("<!-- engram:begin -->\nx\n<!-- engram:end -->\n", 2), "markers of engram's block are damaged"},
	} {
		if taken, err := c.edit.Take(c.text, ""); err == nil && taken != c.text {
			t.Errorf("%q is refused, and became %q where it was taken out", c.text, taken)
		}
		if _, err := c.edit.Put(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}
