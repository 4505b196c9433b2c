package scrub_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/secret"
	"engram/session"
	"engram/session/scrub"
)

// Put together at run time, so that no scanner fires on this file.
var (
	token   = "ghp" + "_" + "q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX1aQe"
	random  = "q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX"
	payload = strings.Repeat("Eo4DCkYICxgCKkB8dQPa8XKF0PHBx2507e1z/+", 3)
	filler  = strings.Repeat("The index keeps one entry. ", 700)
	large   = strings.Repeat("Eo4DCkYICxgCKkB8dQPa8XKF0PHBx2507e1z/+", 120)
)

func TestLine(t *testing.T) {
	pat := []session.Redaction{{Rule: "github-pat", Count: 1}}
	generic := []session.Redaction{{Rule: "generic-api-key", Count: 1}}
	for name, c := range map[string]struct {
		raw, want string
		redacted  []session.Redaction
		omitted   []session.Omission
	}{
		"nothing":          {raw: `{"a": 1.50e3, "b":"\u0041\/ <&>",  "c":[null,true]}`},
		"token":            {`{"a":"\u0041\/","b":"<x> ` + token + `\n&"}`, `{"a":"\u0041\/","b":"<x> [redacted: github-pat]\n&"}`, pat, nil},
		"escaped token":    {`{"b":"x ghp\u005f` + token[4:] + `"}`, `{"b":"x [redacted: github-pat]"}`, pat, nil},
		"by its key":       {`{"api_key":"` + random + `"}`, `{"api_key":"[redacted: generic-api-key]"}`, generic, nil},
		"in an array":      {`{"api_keys":["x","` + random + `"]}`, `{"api_keys":["x","[redacted: generic-api-key]"]}`, generic, nil},
		"other key":        {raw: `{"other":"` + random + `"}`},
		"variable":         {`{"name":"SLACK_TOKEN","value":"` + random + `"}`, `{"name":"SLACK_TOKEN","value":"[redacted: generic-api-key]"}`, generic, nil},
		"variable, behind": {`{"value":"` + random + `","key":"DB_SECRET"}`, `{"value":"[redacted: generic-api-key]","key":"DB_SECRET"}`, generic, nil},
		"other variable":   {raw: `{"name":"HOST","value":"` + random + `"}`},
		"key":              {`{"` + token + `":1}`, `{"[redacted: github-pat]":1}`, pat, nil},
		"JSON in a string": {`{"c":"{\"api_key\":\"` + random + `\"}"}`, `{"c":"{\"api_key\":\"[redacted: generic-api-key]\"}"}`, generic, nil},
		"text":             {"not JSON " + token + "\xff\x00", "not JSON [redacted: github-pat]\xff\x00", pat, nil},
		"signature":        {`{"signature":"` + payload + `"}`, `{"signature":"[omitted: 114 bytes]"}`, nil, []session.Omission{{Field: "signature", Bytes: 114}}},
		"short signature":  {raw: `{"signature":"abcdef"}`},
		"spoken signature": {raw: `{"signature":"` + strings.Repeat("func (a int) error; ", 8) + `"}`},
		"redacted": {`{"data":"` + payload + `","type":"redacted_thinking"}`, `{"data":"[omitted: 114 bytes]","type":"redacted_thinking"}`, nil,
			[]session.Omission{{Field: "data", Bytes: 114}}},
		"other data": {raw: `{"data":"` + payload + `","type":"x"}`},
		"large":      {`{"x":"` + large + `"}`, `{"x":"[omitted: 4560 bytes]"}`, nil, []session.Omission{{Field: "x", Bytes: 4560}}},
		"image":      {raw: `{"type":"image","source":{"data":"` + large + `","media_type":"image/png"}}`},
		"data URL":   {raw: `{"url":"data:image/png;base64,` + large + `"}`},
		"commit":     {raw: `{"commit":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b","token":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"}`},
		"over two blocks": {`{"content":[{"type":"text","text":"it is ` + token[:20] + `"},{"type":"text","text":"` + token[20:] + ` now"}]}`,
			`{"content":[{"type":"text","text":"it is [redacted: github-pat]"},{"type":"text","text":"[redacted: github-pat] now"}]}`, pat, nil},
		"over three items": {`{"lines":["` + token[:9] + `","` + token[9:30] + `","` + token[30:] + `"]}`,
			`{"lines":["[redacted: github-pat]","[redacted: github-pat]","[redacted: github-pat]"]}`, pat, nil},
		"far into a block": {`[{"text":"` + filler + token[:20] + `"},{"text":"` + token[20:] + " " + filler + `"}]`,
			`[{"text":"` + filler + `[redacted: github-pat]"},{"text":"[redacted: github-pat] ` + filler + `"}]`, pat, nil},
		"two over blocks": {`["` + token[:9] + `","` + token[9:] + `",[{"content":"` + token[:9] + `"},{"content":"` + token[9:] + `"}]]`,
			`["[redacted: github-pat]","[redacted: github-pat]",[{"content":"[redacted: github-pat]"},{"content":"[redacted: github-pat]"}]]`,
			[]session.Redaction{{Rule: "github-pat", Count: 2}}, nil},
		"over other fields": {raw: `[{"id":"` + token[:20] + `"},{"id":"` + token[20:] + `"}]`},
		"two rules": {`["` + token + `","` + token + `",{"password":"` + random + `"}]`, `["[redacted: github-pat]","[redacted: github-pat]",{"password":"[redacted: generic-api-key]"}]`,
			[]session.Redaction{{Rule: "generic-api-key", Count: 1}, {Rule: "github-pat", Count: 2}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			want := c.want
			if want == "" {
				want = c.raw
			}
			got := scrub.Line([]byte(c.raw), scanner, nil)
			if string(got.Raw) != want {
				t.Errorf("Raw = %s\nwant  %s", got.Raw, want)
			}
			if diff := cmp.Diff(c.redacted, got.Redacted); diff != "" {
				t.Error("redacted (-want +got):\n", diff)
			}
			if diff := cmp.Diff(c.omitted, got.Omitted); diff != "" {
				t.Error("omitted (-want +got):\n", diff)
			}
		})
	}
}

var scanner = secret.New()

func TestLineReturnsTheSameSlice(t *testing.T) {
	raw := []byte(`{"a":"nothing to find here"}`)
	if got := scrub.Line(raw, scanner, nil); &got.Raw[0] != &raw[0] {
		t.Error("a line without findings was copied")
	}
}

func TestLineOptions(t *testing.T) {
	raw := []byte(`{"x":"` + large + `"}`)
	if got := scrub.Line(raw, scanner, &scrub.Options{Unreadable: 1 << 20}); len(got.Omitted) > 0 {
		t.Errorf("omitted %v", got.Omitted)
	}
}

type fataler interface{ Fatalf(string, ...any) }

// scrubs wants a line that stays valid and changes no more.
func scrubs(t fataler, raw []byte) {
	before := bytes.Clone(raw)
	got := scrub.Line(raw, scanner, nil)
	if !bytes.Equal(before, raw) {
		t.Fatalf("the line %q was written to", before)
	}
	again := scrub.Line(got.Raw, scanner, nil)
	if !bytes.Equal(again.Raw, got.Raw) || len(again.Redacted)+len(again.Omitted) > 0 {
		t.Fatalf("again: %q of %q becomes %q, %v, %v", got.Raw, raw, again.Raw, again.Redacted, again.Omitted)
	}
	if json.Valid(raw) && !json.Valid(got.Raw) {
		t.Fatalf("%q is no JSON, made of %q", got.Raw, raw)
	}
	if changed := len(got.Redacted)+len(got.Omitted) > 0; changed == bytes.Equal(raw, got.Raw) {
		t.Fatalf("%q becomes %q: %v, %v", raw, got.Raw, got.Redacted, got.Omitted)
	}
	if utf8.Valid(raw) && !utf8.Valid(got.Raw) {
		t.Fatalf("%q is not UTF-8, made of %q", got.Raw, raw)
	}
}

func TestLineSettles(t *testing.T) {
	texts := rapid.SampledFrom([]string{token, random, payload, large, "api_key", "password", "token: ", "name", "value", "data", "type", "redacted_thinking",
		"signature", "media_type", "image/png", "text/plain", "data:image/png;base64,", " = ", "\"", "\n", "\\", "\u200b", "é", "\x00", "sourcegraph", "facebook",
		"postgres://a:hunter22@db/x", "Server=db;Password=hunter22", "[redacted: github-pat]", "[redacted: ", "]", "%67%68%70%5F", "x"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(texts, 1, 4).Draw(t, "parts"), "") })
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
			case kind == 0 && depth > 0:
				return rapid.SliceOfN(value(depth-1), 0, 3).Draw(t, "array")
			case kind <= 2 && depth > 0:
				return rapid.MapOfN(text, value(depth-1), 0, 4).Draw(t, "object")
			case kind == 3:
				return rapid.Float64().Draw(t, "number")
			}
			return text.Draw(t, "string")
		})
	}
	rapid.Check(t, func(rt *rapid.T) {
		raw, err := json.Marshal(value(4).Draw(rt, "line"))
		if err != nil {
			rt.Fatalf("%v", err)
		}
		scrubs(rt, raw)
		scrubs(rt, raw[:len(raw)-1])
	})
}

// TestLineBounded has no clock: a cost that grew with the square of the input
// would run into the timeout of the whole test.
func TestLineBounded(t *testing.T) {
	for name, raw := range map[string]string{
		"deep":         strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		"deeper":       strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000),
		"open":         strings.Repeat("[", 1<<20),
		"backslashes":  `"` + strings.Repeat(`\\`, 1<<20) + `"`,
		"quotes":       `"` + strings.Repeat(`\"`, 1<<20) + `"`,
		"many strings": "[" + strings.Repeat(`"a",`, 1<<20) + `""]`,
		"many members": "{" + strings.Repeat(`"token":"a",`, 1<<18) + `"a":1}`,
		"one string":   `{"a":"` + strings.Repeat("The index keeps one entry. ", 1<<17) + `"}`,
		"payload":      `{"a":"` + strings.Repeat("Eo4D", 1<<22) + `"}`,
		"NUL":          strings.Repeat("\x00", 1<<18),
		"invalid":      `{"a":"` + strings.Repeat("\xff", 1<<18) + `"}`,
	} {
		t.Run(name, func(t *testing.T) { scrubs(t, []byte(raw)) })
	}
}

func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		`{"a":"` + token + `"}`, `{"signature":"` + payload + `"}`, `{"name":"API_KEY","value":"` + random + `"}`, `["\ud800\u0000",{"":{}}]`, `{"a":"\`,
		"\xff\x00", `{"data":"` + payload + `","type":"redacted_thinking"}`, `{"media_type":"image/png","data":"` + payload + `"}`, token, `"\\\""`, ` [ 1 , "` + token + `" ] `,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { scrubs(t, raw) })
}

func BenchmarkLine(b *testing.B) {
	text, err := json.Marshal(strings.Repeat("func (s *Store) Get(key string) (Value, error) { // reads \"one\" entry\n\treturn s.values[key], nil\n}\n", 40))
	if err != nil {
		b.Fatal(err)
	}
	line := fmt.Sprintf(`{"type":"assistant","uuid":"3f9c1ad2-7b1e-4c55-9a70-1f2e3d4c5b6a","message":{"content":[{"type":"text","text":%s},{"type":"thinking","thinking":"Let me see.","signature":"%s"}]}}`, text, payload)
	b.Run("synthetic", func(b *testing.B) {
		b.SetBytes(int64(len(line)))
		for b.Loop() {
			scrub.Line([]byte(line), scanner, nil)
		}
	})
	b.Run("transcripts", func(b *testing.B) {
		lines := transcripts(b)
		size := 0
		for _, line := range lines {
			size += len(line)
		}
		b.SetBytes(int64(size))
		for b.Loop() {
			for _, line := range lines {
				scrub.Line(line, scanner, nil)
			}
		}
	})
}

// TestMeasureTranscripts prints what is taken out of real transcripts, and wants
// the result to settle.
func TestMeasureTranscripts(t *testing.T) {
	redacted, omitted, bytes := map[string]int{}, map[string]int{}, 0
	lines := transcripts(t)
	for _, line := range lines {
		scrubs(t, line)
		got := scrub.Line(line, scanner, nil)
		for _, r := range got.Redacted {
			redacted[r.Rule] += r.Count
		}
		for _, o := range got.Omitted {
			omitted[o.Field]++
			bytes += o.Bytes
		}
	}
	t.Logf("%d lines; redacted %v; omitted %v, %d bytes", len(lines), redacted, omitted, bytes)
}

func transcripts(t testing.TB) (lines [][]byte) {
	t.Helper()
	dir := os.Getenv("ENGRAM_DATA")
	if dir == "" {
		t.Skip("skipped: ENGRAM_DATA does not name the folder with the measurement data")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "sessions", "*", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Skipf("skipped: no transcripts in the data folder: %v", err)
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		scan := bufio.NewScanner(f)
		scan.Buffer(nil, 64<<20)
		for scan.Scan() {
			lines = append(lines, bytes.Clone(scan.Bytes()))
		}
		if err := scan.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return lines
}
