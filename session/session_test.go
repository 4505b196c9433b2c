package session_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/session"
)

var moment = time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)

// head is a previewer that shows the first bytes.
func head(_, _, mediaType string, data []byte) (string, string) {
	if mediaType == "" {
		mediaType = "text/plain"
	}
	return strings.ToValidUTF8(string(data[:min(len(data), 20)]), "?"), mediaType
}

// lines writes events as lines and reads them again.
func lines(t interface{ Fatal(...any) }, events []session.Event) (all []byte, read []session.Event) {
	for i := range events {
		before := len(all)
		var err error
		if all, err = session.AppendLine(all, &events[i]); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(all[before:], []byte("\n")); n != 1 {
			t.Fatal("a line has ", n, " newlines")
		}
		e, err := session.ParseLine(bytes.TrimSpace(all[before:]))
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, e)
	}
	return all, read
}

// restored assembles a record, writes and reads its lines, and restores its bytes.
func restored(t interface{ Fatal(...any) }, r session.Record) (raw, all []byte) {
	events, artifacts := session.Assemble(r, session.Place{Session: "s", At: moment}, 0, head)
	all, read := lines(t, events)
	raw, err := session.Restore(read, func(digest string) ([]byte, error) {
		for _, a := range artifacts {
			if a.Digest == digest {
				return a.Data, nil
			}
		}
		return nil, fmt.Errorf("no artifact %s", digest)
	})
	if err != nil {
		t.Fatal(err)
	}
	return raw, all
}

func TestRecordsSurviveByteForByte(t *testing.T) {
	long := strings.Repeat("a line of a log with \"quotes\" and ünïcode\n", 200)
	image := bytes.Repeat([]byte{0x89, 'P', 'N', 'G', 0, 1, 2, 0xff}, 900)
	asString, _ := json.Marshal(long)
	ascii := `"` + strings.ReplaceAll(strings.ReplaceAll(strings.Repeat("r\u00e9sum\u00e9 \U0001f600\n", 500), "\u00e9", `\u00e9`), "\U0001f600", `\ud83d\ude00`) + `"`
	ascii = strings.ReplaceAll(ascii, "\n", `\n`)
	input := `{"command": "go test ./... && go vet ./... && echo done", "description":"Run all of the tests"}`
	for name, c := range map[string]struct {
		raw    string
		events []session.Content
		within int // bytes that the lines may have
	}{
		"nothing to cut":  {raw: `{"a":1}`, events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}},
		"text twice":      {raw: `{"text":` + string(asString) + `,"again":` + string(asString) + `}`, events: []session.Content{{Event: session.Event{Kind: session.UserMessage, Text: long}}}, within: 11_000},
		"result":          {raw: `{"text":` + string(asString) + `}`, events: []session.Content{{Event: session.Event{Kind: session.ToolResult, Text: long}}}, within: 700},
		"ascii":           {raw: `{"text":` + ascii + `}`, events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}, within: 700},
		"odd escapes":     {raw: `{"text":"\u0041` + strings.Repeat("b", 9000) + `"}`, events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}, within: 700},
		"lone surrogate":  {raw: `{"text":"\ud800` + strings.Repeat("b", 9000) + `"}`, events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}},
		"image":           {raw: `{"d":"` + base64.StdEncoding.EncodeToString(image) + `"}`, events: []session.Content{{Event: session.Event{Kind: session.ToolResult}, Blobs: []session.Blob{{MediaType: "image/png", Data: image}}}}, within: 900},
		"input":           {raw: `{"input":` + input + `,"x":1}`, events: []session.Content{{Event: session.Event{Kind: session.ToolCall, Text: input}}}, within: 500},
		"not JSON":        {raw: "{\"truncated\": \"mid\x00-li", events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}},
		"not UTF-8":       {raw: "{\"a\":\"\xff\xfe\"}", events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}},
		"long garbage":    {raw: strings.Repeat("\x00\xff garbage", 1000), events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}, within: 500},
		"space around":    {raw: "  {\"a\":1}\r", events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}},
		"empty":           {raw: "", events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}},
		"lines of a text": {raw: "{\n  \"a\": 1\n}", events: []session.Content{{Event: session.Event{Kind: session.SystemNote}}}},
	} {
		t.Run(name, func(t *testing.T) {
			raw, all := restored(t, session.Record{Format: "x", Raw: []byte(c.raw), Events: c.events})
			if string(raw) != c.raw {
				t.Errorf("restored %.300q\nwant     %.300q", raw, c.raw)
			}
			if c.within > 0 && len(all) > c.within {
				t.Errorf("the lines have %d bytes; want at most %d", len(all), c.within)
			}
		})
	}
}

func TestRecordsSurviveProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.String().Draw(t, "text"), rapid.IntRange(1, 400).Draw(t, "times"))
		var value any = map[string]any{"a": text, "b": []any{rapid.String().Draw(t, "b"), text}, "c": map[string]any{rapid.String().Draw(t, "key"): text}}
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "damaged") {
			raw = append(raw[:rapid.IntRange(0, len(raw)).Draw(t, "at")], rapid.SliceOf(rapid.Byte()).Draw(t, "rest")...)
		}
		kind := rapid.SampledFrom(session.Kinds()).Draw(t, "kind")
		events := []session.Content{{Event: session.Event{Kind: kind, Text: text}}, {Event: session.Event{Kind: session.SystemNote}}}
		if back, _ := restored(t, session.Record{Raw: raw, Events: events}); !bytes.Equal(back, raw) {
			t.Fatalf("restored %.300q\nwant     %.300q", back, raw)
		}
	})
}

func TestAssembleGivesEqualIDsForEqualRecords(t *testing.T) {
	r := session.Record{Raw: []byte(`{"a":1}`), Events: []session.Content{{Event: session.Event{Kind: session.UserMessage, Text: "hi"}}, {Event: session.Event{Kind: session.ToolCall}}}}
	one, _ := session.Assemble(r, session.Place{Session: "s", At: moment}, 0, head)
	two, _ := session.Assemble(r, session.Place{Session: "s", At: moment}, 0, head)
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("the same record gave other events:\n%s", diff)
	}
	again, _ := session.Assemble(r, session.Place{Session: "s", At: moment, Occurrence: 1}, 0, head)
	if one[0].ID == one[1].ID || one[0].ID == again[0].ID {
		t.Errorf("ids repeat: %s %s %s", one[0].ID, one[1].ID, again[0].ID)
	}
	if !session.IsEventID(one[0].ID) || one[0].Turn != 1 || one[1].Turn != 1 {
		t.Errorf("got id %q, turns %d and %d", one[0].ID, one[0].Turn, one[1].Turn)
	}
}

func TestIDs(t *testing.T) {
	for own, want := range map[string]string{
		"569aed7b-6ead-4790-a3fe-c7028466112c": "569aed7b-6ead-4790-a3fe-c7028466112c",
		"a/b":                                  "a-b-c14cddc0", "x.lock": "x-lock-f53b5310", "": "e3b0c442",
	} {
		if got := session.IDOf(own); got != want || !session.CheckID(got) {
			t.Errorf("IDOf(%q) = %q, want %q", own, got, want)
		}
	}
	if ref := session.Ref("abc"); session.IDOfRef(ref) != "abc" || session.IDOfRef("refs/engram/sessions/00/abc") != "" {
		t.Errorf("Ref(abc) = %s", ref)
	}
}

func TestMarkers(t *testing.T) {
	m := session.Marker{First: 12, Last: 47, Topics: []string{"Docker build failure", "nginx config", "SSL cert renewal"}}
	const want = "[Events T12–T47 evicted. Key topics: Docker build failure, nginx config, SSL cert renewal. Use recall(query) to retrieve details.]"
	if m.String() != want {
		t.Errorf("got %s", m)
	}
}
