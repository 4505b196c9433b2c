package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeScript pastes the script of the README's second section into a shell.
func TestReadmeScript(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(b), "\n## ")
	_, script, found := strings.Cut(sections[2], "```sh\n")
	script, _, _ = strings.Cut(script, "```")
	if !found {
		t.Fatal("the second section has no script")
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
	_, said, _ := strings.Cut(sections[2], "for everybody:\n\n```\n")
	said, _, _ = strings.Cut(said, "\n```")
	if said == "" || !strings.Contains(string(out), said) {
		t.Errorf("the pull does not say %q:\n%s", said, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	last := strings.Join(lines[len(lines)-2:], "\n")
	if !strings.Contains(last, "6432") || strings.Contains(last, "5432") {
		t.Errorf("the last answer is %s", last)
	}
}
