package setup_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"engram/mcp/setup"
)

// seeds are the texts of the golden cases.
func seeds(f *testing.F, prefixes ...string) {
	cases, _ := filepath.Glob("testdata/edits/*.txtar")
	n := 0
	for _, path := range cases {
		for _, prefix := range prefixes {
			if archive, err := txtar.ParseFile(path); err == nil && strings.HasPrefix(filepath.Base(path), prefix) {
				f.Add(string(archive.Files[0].Data))
				n++
			}
		}
	}
	if n == 0 {
		f.Fatal("the seed corpus is empty")
	}
}

// FuzzJSON: no text panics; what is edited keeps its promises.
func FuzzJSON(f *testing.F) {
	seeds(f, "json", "hooks", "opencode")
	for _, text := range []string{"", "{}", "{ }", "{//\n}", "{/**/}", "{\"hooks\":{\"Stop\":[]}}", "{\"mcpServers\":{}// x\n,}", "{\"a\":1//x\n}", "\ufeff{}", "{\"a\":\"\\ud800\"}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range []setup.Edit{setup.ServerEdit("mcpServers"), setup.ServerEdit("mcpServers", "team"), setup.OpenCodeEdit(), setup.HooksEdit(), setup.FlatHooksEdit()} {
			checkEdit(t, e, text)
		}
	})
}

// FuzzTOML is FuzzJSON for TOML, with a parser beside.
func FuzzTOML(f *testing.F) {
	seeds(f, "toml")
	for _, text := range []string{"", "a=1", "mcp_servers={}", "mcp_servers={engram={}}", "[mcp_servers]\n", "[mcp_servers.engram]", "[mcp_servers.engram.env]\n", "mcp_servers.engram={}", "a=''''x''''\n", "\"a.b\".c=\"\"\"x\"\"\"\"\"\n", "[[a]]\nb=1979-05-27 07:32:00\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e := setup.TOMLEdit()
		checkEdit(t, e, text)
		put, err := e.Put(text)
		if err != nil {
			return
		}
		var tree struct {
			Servers map[string]struct {
				Command string
				Args    []string
			} `toml:"mcp_servers"`
		}
		if err := toml.Unmarshal([]byte(strings.TrimPrefix(put, "\ufeff")), &tree); err == nil {
			if own := tree.Servers["engram"]; own.Command != "engram" || !reflect.DeepEqual(own.Args[:1], []string{"mcp"}) {
				t.Errorf("%q became %q, with %+v", text, put, own)
			}
		}
	})
}

// FuzzBlock: whatever the text, its bytes stay.
func FuzzBlock(f *testing.F) {
	for _, text := range []string{"", "\n", "x", "x\n", "x\n\n", "x\r\n", "x\r", "\ufeff", "\ufeffx", "a\n<!-- engram:begin -->\nb\n<!-- engram:end -->\nc", "<!-- engram:begin -->", "# A\r\n\r\n<!-- engram:end -->\r\n", " <!-- engram:begin --> \n", example, "~~~\n" + example, "- ```\n  ```\nx", "````\n```\n"} {
		f.Add(text)
	}
	f.Fuzz(checkBlock)
}

// example is a block that somebody shows.
const example = "```md\n<!-- engram:begin -->\nb\n<!-- engram:end -->\n```\n"

func checkBlock(t *testing.T, text string) {
	e := setup.BlockEdit("Ask, and tell.")
	checkEdit(t, e, text)
	if e.Holds(text) {
		return
	}
	put, err := e.Put(text)
	must(t, err)
	if !strings.HasPrefix(put, text) {
		t.Errorf("%q became %q", text, put)
	}
	if got, err := e.Take(put, text); err != nil || got != text {
		t.Errorf("%q became %q and then %q, %v", text, put, got, err)
	}
	newer := setup.BlockEdit("Something else.\nAnd more.")
	if put, err = newer.Put(inOlderWords(put)); err != nil || inOlderWords(put) == put {
		t.Errorf("an older block in %q did not become a newer one: %v", put, err)
	}
	if got, err := newer.Take(put, text); err != nil || got != text {
		t.Errorf("%q became %q by way of another version and then %q, %v", text, put, got, err)
	}
}

// inOlderWords is a text with the first line of its block as earlier versions wrote it.
func inOlderWords(text string) string {
	for breaks, now := range setup.About {
		text = strings.Replace(text, now, fmt.Sprintf("<!-- Kept up to date by `engram setup`, with %d line breaks above: write outside. -->", breaks), 1)
	}
	return text
}

// TestBlockKeepsText: merging is idempotent, taking out is its inverse, and what
// is written around the block later stays where it is.
func TestBlockKeepsText(t *testing.T) {
	line := rapid.SampledFrom([]string{"", " ", "# Title", "text", "\t- list", "<!-- other -->", "see `<!-- engram:begin -->`", "é", "\ufeff"})
	ending := rapid.SampledFrom([]string{"\n", "\r\n", "\n\n", "\r", ""})
	textOf := func(lines *rapid.Generator[string]) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			var b strings.Builder
			for range rapid.IntRange(0, 8).Draw(t, "lines") {
				b.WriteString(lines.Draw(t, "line") + ending.Draw(t, "ending"))
			}
			return b.String()
		})
	}
	example := rapid.SampledFrom([]string{"\n" + example, "\n~~~~\n~~~\n" + example + "~~~~\n", "\r\n> - ```\r\n<!-- engram:end -->\r\n  ```` \r\n", "\n```a`b\n"})
	text, broken := textOf(rapid.OneOf(line, example)), textOf(rapid.OneOf(line, example, rapid.SampledFrom([]string{"```", "~~~ a", "1. ````"})))
	rapid.Check(t, func(rt *rapid.T) {
		before, head, tail := text.Draw(rt, "before"), text.Draw(rt, "head"), text.Draw(rt, "tail")
		checkBlock(t, before)
		checkBlock(t, broken.Draw(rt, "fences that nothing closes"))
		e := setup.BlockEdit("Ask, and tell.")
		put, err := e.Put(before)
		must(t, err)
		if head != "" && !strings.HasSuffix(head, "\n") {
			head += "\n"
		}
		around := head + put + tail
		again, err := setup.BlockEdit("New text.").Put(around)
		must(t, err)
		if !strings.HasPrefix(again, head+before) || !strings.HasSuffix(again, tail) {
			rt.Fatalf("%q became %q", around, again)
		}
		taken, err := e.Take(again, "")
		must(t, err)
		if !strings.HasPrefix(taken, head+before) || !strings.HasSuffix(taken, tail) {
			rt.Fatalf("%q became %q", again, taken)
		}
		if rt.Failed() || t.Failed() {
			rt.FailNow()
		}
	})
}

// TestCorpus: a fuzz target without seeds finds nothing.
func TestCorpus(t *testing.T) {
	for _, name := range []string{"FuzzJSON", "FuzzTOML", "FuzzBlock"} {
		entries, err := os.ReadDir(filepath.Join("testdata", "fuzz", name))
		if err != nil || len(entries) == 0 {
			t.Errorf("%s has no corpus: %v", name, err)
		}
	}
}
