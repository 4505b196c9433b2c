package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// badTexts are no message of an agent, each in its own way.
var badTexts = []string{
	"", "\n", "I am done.", "{", "[]", "null", "42", "ROLE: x", "ROLE: [a]\nENGRAMS: {}\n", "a: &b [*b]", "!!binary x", "ROLE: x\nROLE: y\n", "\x00\x01", "\xff\xfe",
	strings.Repeat("[", 5000), strings.Repeat("x", 70<<10), "ROLE: x\nTASK_STATUS: x\nENGRAMS: [{}]\nOUTPUT: {summary: x}\n",
	"ROLE: x\nTASK_STATUS: x\nENGRAMS: [{kind: risk, claim: c, confidence: 7, ttl: x, scope: y, pointers: [{type: repo, ref: x}]}]\nOUTPUT: {summary: x}\n",
}

// TestBadInputIsNoFailure: whatever is handed to commands between agents, it is refused
// or wrong usage, and never engram's own failure.
func TestBadInputIsNoFailure(t *testing.T) {
	repo := testRepo(t)
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	check := func(stdin string, args ...string) {
		t.Helper()
		if r := runHere(stdin, append([]string{"--repo", repo}, args...)...); r.status < 1 || r.status > 4 {
			t.Errorf("%.60q < %.60q ends with %d: %s", args, stdin, r.status, r.stderr)
		}
	}
	for i, text := range badTexts {
		file := filepath.Join(t.TempDir(), "message")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"validate", "submit"} {
			check(text, "bus", command, "--agent", "a")
			if i%4 == 0 {
				check("", "bus", command, file, "--agent", "a", "--json")
			}
		}
	}
	check("SHARED_BRIEF_MICRO: []\nROLE: x\nBUDGETS: {}\n", "bus", "submit", "--agent", "a") // a parent's
	missing := strings.Repeat("0", 40)
	for _, args := range [][]string{
		{"bus", "validate", "."}, {"bus", "submit", "no/such/file"}, {"bus", "validate", "--agent", "a", "--budget-token", "x", "-"},
		{"bus", "grant", "", "--to", "a"}, {"bus", "grant", "nothing.go", "--to", "a"}, {"bus", "grant", "repo:a\x00b@" + missing, "--to", "a"},
		{"bus", "grant", "main.go", "--to", "a", "--cap", "-1"}, {"bus", "grant", "main.go", "--to", "a", "--uses", "9999999"}, {"bus", "grant", "main.go", "--to", "a", "--for", "-1h"},
		{"bus", "grant", "main.go", "--to", "a", "--for", "99999h"}, {"bus", "grant", "main.go", "--to", strings.Repeat("a", 5000)}, {"bus", "grant", "main.go", "--to", "a\nb"},
		{"bus", "grant", "main.go", "--to", "a", "--out-of", "eg1.x"}, {"bus", "grant", "https://example.com", "--to", "a"}, {"bus", "grant", "--prefix", "repo:x/#L1", "--to", "a"},
		{"bus", "revoke", "../x"}, {"bus", "revoke", ""}, {"bus", "turn"}, {"bus", "log", "-n", "-1"}, {"bus", "schema", "../x"},
		{"bus", "task", "a b", "1", "--to", "c", "x"}, {"bus", "task", "..", "1", "--to", "c", "x"}, {"bus", "task", "f", "1", "--to", "a/b", "x"}, {"bus", "task", "f", "1", "--to", "c", " "},
		{"bus", "result", "nonsense", "x"}, {"bus", "result", "a/../b", "x"}, {"bus", "result", "sdd/f/1/c", ""},
		{"brief", "--to", "a"}, {"brief", "--goal", strings.Repeat("x ", 5000), "--to", "a"}, {"brief", "--goal", "x", "--to", "a", "--grant", "nothing.go"}, {"brief", "--budget", "-1"},
		{"brief", "--goal", "\x00", "--to", "a", "--from", "b"}, {"brief", "--goal", "x", "--to", "a", "--from-role", strings.Repeat("r", 300)},
		{"deref", ""}, {"deref", "\x00"}, {"deref", "repo:@"}, {"deref", "repo:main.go#L0@HEAD"}, {"deref", "main.go", "--max-tokens", "-1"}, {"deref", "main.go", "--digest", "x"},
		{"deref", "repo:main.go@" + missing}, {"deref", "sam:x"}, {"deref", "diff:a..b#x"}, {"deref", "test:x"}, {"deref", strings.Repeat("a/", 5000)}, {"deref", "main.go", "--agent", "a", "--budget-token", "x"},
		{"verify", "nonsense"}, {"verify", "--at", "--x"}, {"verify", "--at", "no\nsuch"}, {"why", "../../x"}, {"why", "main.go:9-1"},
	} {
		check("", args...)
	}
}
