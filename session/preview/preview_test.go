package preview_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	stdimage "image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"engram/session"
	"engram/session/preview"
)

var _ session.Previewer = preview.Of

// build is the log of a build that fails in its middle.
func build() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "\x1b[32mok\x1b[0m   package/%d\t0.%02ds, 0 errors\n", i, i%100)
		if i == 120 {
			b.WriteString("tax/round.go:12:3: error: undefined: half\n")
		}
	}
	return b.String() + "FAIL\tmake: *** [test] Error 1\n"
}

func TestPreviews(t *testing.T) {
	var rows, grep, code, markdown strings.Builder
	rows.WriteString("id,name,total\n")
	grep.WriteString("/home/ada/docs/a-b.md-2-long before\n/home/ada/docs/a-b.md-3-before\n")
	for i := range 300 {
		fmt.Fprintf(&rows, "%d,\"a\nb\",%d\n", i, i*i)
		fmt.Fprintf(&grep, "docs/a-b.md:%d:round(%d)\n", i+4, i)
		fmt.Fprintf(&code, "%6d→func f%d(x int) int {\n%6d→\treturn x\n%6d→}\n", 3*i+1, i, 3*i+2, 3*i+3)
		fmt.Fprintf(&markdown, "## Part %d\n\nA text about part %d.\n\n", i, i)
	}
	grep.WriteString("--\nsrc/x.go:7:round half up\n")
	items := make([]map[string]any, 50)
	for i := range items {
		items[i] = map[string]any{"id": i, "tags": []int{1, 2}, "name": strings.Repeat("n", 30)}
	}
	asJSON, _ := json.Marshal(map[string]any{"count": 50, "items": items, "meta": map[string]any{"a": 1}, "next": "abc"})
	for name, c := range map[string]struct {
		tool, name, mediaType string
		data                  string
		want, guessed         string
	}{
		"short": {data: "\x1b[1mone\x1b[0m\n\x1b]0;title\atwo\x01three\x80\n\u202eevil\u0085", want: "one\ntwothree\uFFFD\nevil", guessed: "text/plain", mediaType: "text/plain"},
		"log": {tool: "Bash", data: build(), guessed: "text/plain", want: `202 lines, ` + fmt.Sprint(len(build())) + ` bytes
122: tax/round.go:12:3: error: undefined: half
...
ok   package/191	0.91s, 0 errors
ok   package/192	0.92s, 0 errors
ok   package/193	0.93s, 0 errors
ok   package/194	0.94s, 0 errors
ok   package/195	0.95s, 0 errors
ok   package/196	0.96s, 0 errors
ok   package/197	0.97s, 0 errors
ok   package/198	0.98s, 0 errors
ok   package/199	0.99s, 0 errors
FAIL	make: *** [test] Error 1`},
		"JSON": {data: string(asJSON), guessed: "application/json", want: `{
  "count": 50,
  "items": [
    {3 keys},
    {3 keys},
...
  "next": "abc"
}
object of 4 keys: count, items [50 items], meta {1 key}, next, ` + fmt.Sprint(len(asJSON)) + ` bytes`},
		"search": {tool: "Grep", data: grep.String(), guessed: "text/plain", want: `301 matches in 2 files
docs/a-b.md (300)
  3- before
  4: round(0)
  5: round(1)
  6: round(2)
src/x.go (1)
  7: round half up`},
		"diff": {tool: "Bash", data: "commit 1a2b\n\n    Round\n\ndiff --git a/x/a.go b/x/a.go\n--- a/x/a.go\n+++ b/x/a.go\n@@ -1 +1 @@\n-error: a\n+b\n+c\n" +
			"diff --git a/b.go b/b.go\n" + strings.Repeat("+ a line\n", 200), guessed: "text/plain", want: "diff of 2 files, +202 -1, 1932 bytes\nx/a.go +2 -1\nb.go +200 -0"},
		"table": {name: "x.csv", data: rows.String(), guessed: "text/csv", want: "id,name,total\n0,\"a b\",0\n1,\"a b\",1\n... 300 rows, " + fmt.Sprint(len(rows.String())) + " bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			got, guessed := preview.Of(c.tool, c.name, c.mediaType, []byte(c.data))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("preview (-want +got):\n%s", diff)
			}
			if guessed != c.guessed {
				t.Errorf("guessed %q, want %q", guessed, c.guessed)
			}
			check(t, got, guessed)
		})
	}
	for name, c := range map[string]struct{ tool, name, data, first, last, guessed string }{
		"code as a tool prints it": {"Read", "", code.String(), "1: func f0(x int) int", "... 276 more", "text/plain"},
		"Markdown":                 {"", "README.md", markdown.String(), "1: ## Part 0", "... 276 more", "text/markdown"},
		"nothing known":            {"", "", strings.Repeat("a line\n", 500), "a line", "a line", "text/plain"},
		"one long line":            {"", "", strings.Repeat("ä long line ", 5000), "ä long line", "long line", "text/plain"},
	} {
		t.Run(name, func(t *testing.T) {
			got, guessed := preview.Of(c.tool, c.name, "", []byte(c.data))
			lines := strings.Split(got, "\n")
			if !strings.HasPrefix(lines[1], c.first) || !strings.Contains(lines[len(lines)-1], c.last) || guessed != c.guessed {
				t.Errorf("got %s of\n%s", guessed, got)
			}
			check(t, got, guessed)
		})
	}
}

func TestImagesAndBinaries(t *testing.T) {
	picture := stdimage.NewPaletted(stdimage.Rect(0, 0, 640, 48), palette.Plan9)
	var asPNG, asJPEG, asGIF bytes.Buffer
	for _, err := range []error{png.Encode(&asPNG, picture), jpeg.Encode(&asJPEG, picture, nil), gif.Encode(&asGIF, picture, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	webp := "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x7f\x02\x00\x2f\x00\x00"
	for name, c := range map[string]struct{ data, want string }{
		"png":     {asPNG.String(), "image/png, 640 x 48 pixels, "},
		"jpeg":    {asJPEG.String(), "image/jpeg, 640 x 48 pixels, "},
		"gif":     {asGIF.String(), "image/gif, 640 x 48 pixels, "},
		"webp":    {webp, "image/webp, 640 x 48 pixels, 30 bytes"},
		"cut off": {"\x89PNG\r\n\x1a\n", "image/png, 8 bytes"},
		"zip":     {"PK\x03\x04\x00\x00", "application/zip, 6 bytes"},
		"NUL":     {"a\x00b", "application/octet-stream, 3 bytes"},
		"Latin-1": {strings.Repeat("\xe4\xf6\xfc", 500), "application/octet-stream, 1500 bytes"},
	} {
		if got, guessed := preview.Of("", "", "", []byte(c.data)); !strings.HasPrefix(got, c.want) || !strings.HasPrefix(got, guessed) {
			t.Errorf("%s: got %q, %q", name, got, guessed)
		}
	}
}

func TestLargeContentsTakeLinearTime(t *testing.T) {
	for name, part := range map[string]string{
		"lines": "a line of a log that says nothing at all\n", "one line": "a", "JSON": `{"a":[1,2,{"b":"c"}]},`, "search": "a/b.go:12:x\n",
		"table": "1,2,3\n", "quotes": `"`, "escapes": "\x1b[", "newlines": "\n", "code": "func f() {}\n", "returns": "a\r", "errors": "0 errors\n", "nested": "[",
	} {
		data := strings.Repeat(part, 2<<20/len(part))
		if name == "JSON" {
			data = "[" + strings.TrimSuffix(data, ",") + "]"
		}
		for _, tool := range []string{"", "Bash"} {
			got, guessed := preview.Of(tool, "", "", []byte(data)) // a quadratic reading runs into the time limit of all tests
			check(t, got, guessed)
		}
	}
}

func TestRealTranscriptsHaveBoundedPreviews(t *testing.T) {
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA does not name the folder of measurement data")
	}
	names, _ := filepath.Glob(filepath.Join(data, "sessions", "*", "*"))
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range []string{"", "Bash", "Grep", "Read"} {
			got, guessed := preview.Of(tool, filepath.Base(name), "", content)
			check(t, got, guessed)
		}
	}
}

// check fails if a preview is not what every preview is.
func check(t testing.TB, got, guessed string) {
	t.Helper()
	if len(got) > preview.Most || !utf8.ValidString(got) || !utf8.ValidString(guessed) {
		t.Errorf("the preview has %d bytes, valid %t:\n%q", len(got), utf8.ValidString(got), got)
	}
	for _, r := range got {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || r == 0x202e {
			t.Errorf("the preview has %q:\n%q", r, got)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, seed := range []string{"", "a\x1b[31mb", build(), `{"a":[1,{"b":2}]}`, "a.go:1:x\n", "a,b,c\n1,2,3\n", "# A\n## B\n### C\n", "\x89PNG\r\n\x1a\n", "RIFF0000WEBPVP8L"} {
		f.Add("Bash", "x.go", seed, "")
		f.Add("", "", strings.Repeat(seed, 1+2000/(len(seed)+1)), "image/png")
		f.Add("Grep", "x.csv", strings.Repeat(seed+"\n", 1+2000/(len(seed)+1)), "")
	}
	f.Fuzz(func(t *testing.T, tool, name, data, mediaType string) {
		got, guessed := preview.Of(tool, name, mediaType, []byte(data))
		if len(mediaType) < 500 {
			check(t, got, guessed)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	data := []byte(strings.Repeat(build(), 1<<20/len(build())))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		preview.Of("Bash", "", "", data)
	}
}
