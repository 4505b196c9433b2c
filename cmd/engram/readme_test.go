package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeFirstDay pastes the commands of the README's first day into a shell, in a
// repository with a remote and the file that they point at.
func TestReadmeFirstDay(t *testing.T) {
	const before = `cd "$(mktemp -d)" && git init -q --bare -b main shop.git && git clone -q shop.git ada && cd ada
printf 'limits:\n  requests: 100\n' > gateway.yml
git add . && git commit -qm limits && git push -q
engram init --anonymous=false --anon-agents=false
`
	_, out := pasted(t, "README.md", before, "")
	rest := out
	for _, want := range []string{
		"domain/api/rate-limit",              // commit
		"100 requests a minute",              // query, list and log
		"2\t2\tfresh\tdomain/api/rate-limit", // why
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is not said, or too early:\n%s", want, out)
		}
		rest = after
	}
}

// TestReadmeSessions pastes the script of the README's section on sessions.
func TestReadmeSessions(t *testing.T) {
	_, out := pasted(t, "README.md#From a line to the conversation", "", "")
	rest := out
	for _, want := range []string{
		"session\t0f3a52c1\tclaude-code\t5\t3\t0\t0\t",                                                                    // import
		"match\t0f3a52c1\t",                                                                                               // list
		"origin\t2\t2\t", "Ada\tRound the tax half up\t0f3a52c1\t", "Please round half up.\tPython's round goes to even.", // why
		"\tEdit\t", "sent\t0f3a52c1\t", "fetched\t0f3a52c1",
		"origin\t2\t2\t", "Please round half up.\tPython's round goes to even.", // why, elsewhere
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is not said, or too early:\n%s", want, out)
		}
		rest = after
	}
}

// TestSharingTutorial pastes the script of the tutorial on sharing into a shell.
func TestSharingTutorial(t *testing.T) {
	text, out := pasted(t, "docs/tutorials/sharing.md", "", "")
	_, said, _ := strings.Cut(text, "in one line:\n\n```\n")
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

// TestEvidenceTutorial does the same with the tutorial on evidence and budgets, and
// looks for what each step of it promises.
func TestEvidenceTutorial(t *testing.T) {
	text, out := pasted(t, "docs/tutorials/evidence-and-budgets.md", "", "")
	_, said, _ := strings.Cut(text, "the commit affects:\n\n```\n")
	said, _, _ = strings.Cut(said, "\n```")
	rest := out
	for _, want := range []string{
		"3\t4\tfresh\tdomain/auth/lifetime", // why
		"SHARED_BRIEF_MICRO:",
		"BUDGET_EXCEEDED", "rejected with exit status 4",
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

// TestUninstallDoc pastes the commands of docs/uninstall.md into a shell, in a clone in
// which engram has written all that it can, and looks for what they leave behind.
func TestUninstallDoc(t *testing.T) {
	const before = `cd "$(mktemp -d)" && git init -q --bare -b main shop.git && git clone -q shop.git ada && cd ada
echo "port: 5432" > compose.yml
git add . && git commit -qm "the database" && git push -q
cp .git/config ../config && cp -r .git/hooks ../hooks
engram init --anonymous=false --anon-agents=false
engram hooks install --with-fetch
engram setup claude-code codex
engram commit "The database listens on port 5432." --key domain/db/port --pointer compose.yml:1
engram sync
(git init -q ../org && cd ../org && git commit -q --allow-empty -m org && engram init --anonymous=false --anon-agents=false)
engram source add org ../org
engram bus grant compose.yml:1 --to child
echo '{"type":"user","sessionId":"0f3a52c1","uuid":"1","message":{"role":"user","content":"Explain it."}}' > ../t.jsonl
engram session import ../t.jsonl
`
	const after = `cat ../engram-backup.yml
echo "LEFT BEHIND:"
diff .git/config ../config || true
diff -r .git/hooks ../hooks || true
ls -d .git/engram .mcp.json .claude AGENTS.md 2>/dev/null || true
ls "$HOME/.codex" "$HOME/engram/setup" 2>/dev/null || true
git for-each-ref refs/heads/engram refs/engram
git status --short
`
	_, out := pasted(t, "docs/uninstall.md", before, after)
	said, left, found := strings.Cut(out, "LEFT BEHIND:\n")
	if !found || left != "" {
		t.Errorf("engram is not gone: %s\n%s", left, said)
	}
	if !strings.Contains(said, "claim: The database listens on port 5432.") {
		t.Errorf("the backup lacks a fact:\n%s", said)
	}
}

// pasted runs the first script of a document, or of its section after a #, between the
// commands before and after. It returns the document and the output.
func pasted(t *testing.T, document, before, after string) (text, said string) {
	t.Helper()
	document, section, _ := strings.Cut(document, "#")
	b, err := os.ReadFile(filepath.Join("../..", document))
	if err != nil {
		t.Fatal(err)
	}
	text = string(b)
	_, script, _ := strings.Cut(text, "# "+section)
	_, script, found := strings.Cut(script, "```sh\n")
	script, _, _ = strings.Cut(script, "```")
	if !found {
		t.Fatalf("%s has no script", document)
	}
	home := t.TempDir()
	config := "[user]\n\tname = Ada\n\temail = ada@example.com\n[pull]\n\trebase = false\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Dir(engramIn(t, home)) + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", before+script+after)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "TMPDIR="+home, "GIT_CONFIG_NOSYSTEM=1", "PATH="+path, "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return text, string(out)
}
