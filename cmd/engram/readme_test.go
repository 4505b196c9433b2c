package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeScript pastes the script of the README's section on sharing into a shell.
func TestReadmeScript(t *testing.T) {
	section, out := pasted(t, "Share it, with nothing but git")
	_, said, _ := strings.Cut(section, "for everybody:\n\n```\n")
	said, _, _ = strings.Cut(said, "\n```")
	if said == "" || !strings.Contains(out, said) {
		t.Errorf("the pull does not say %q:\n%s", said, out)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	last := strings.Join(lines[len(lines)-2:], "\n")
	if !strings.Contains(last, "6432") || strings.Contains(last, "5432") {
		t.Errorf("the last answer is %s", last)
	}
}

// TestReadmeEvidenceScript does so with the section on evidence and budgets, and
// looks for what each step of it promises.
func TestReadmeEvidenceScript(t *testing.T) {
	section, out := pasted(t, "Claims that are checked, agents that keep it short")
	_, said, _ := strings.Cut(section, "going to change:\n\n```\n")
	said, _, _ = strings.Cut(said, "\n```")
	rest := out
	for _, want := range []string{
		"3\t4\tfresh\tdomain/auth/lifetime", // why
		"SHARED_BRIEF_MICRO:",
		"BUDGET_EXCEEDED", "refused with exit status 4",
		"risk/general/every-call-extends",
		"DEREF_DENIED", "denied with exit status 4",
		"func Extend(s *Session) {\n\ts.Until",
		said,
		"domain/auth/lifetime\tdrifted", "+const Lifetime = 15", "drifted with exit status 1",
		"domain/auth/lifetime\tupdate",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is not said, or too early:\n%s", want, out)
		}
		rest = after
	}
	_, brief, _ := strings.Cut(out, "ROLE: lead\n")
	brief, _, _ = strings.Cut(brief, "BUDGET_EXCEEDED")
	if n := strings.Count(brief, "\n"); n == 0 || n >= 30 {
		t.Errorf("the brief has %d lines:\n%s", n+1, brief)
	}
	if strings.Contains(rest, "drifted") {
		t.Errorf("it still drifts in the end:\n%s", rest)
	}
}

// pasted runs the first script of a section of the README, and returns what both of its
// outputs said.
func pasted(t *testing.T, title string) (section, said string) {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(b), "\n## "+title+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, script, hasScript := strings.Cut(section, "```sh\n")
	script, _, _ = strings.Cut(script, "```")
	if !found || !hasScript {
		t.Fatalf("the section %q has no script", title)
	}
	home := t.TempDir()
	config := "[user]\n\tname = Ada\n\temail = ada@example.com\n[pull]\n\trebase = false\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Dir(engramIn(t, home)) + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "TMPDIR="+home, "GIT_CONFIG_NOSYSTEM=1", "PATH="+path, "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return section, string(out)
}
