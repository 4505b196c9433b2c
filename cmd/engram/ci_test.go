package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// workflow is what the test wants to know of a workflow file.
type workflow struct {
	On struct {
		PullRequest struct {
			Branches []string `yaml:"branches"`
		} `yaml:"pull_request"`
	} `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		Steps []struct {
			Name, Uses, Run string
			Env             map[string]string
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

// TestCIRecipe runs the last step of the workflow that docs/ci.md recommends, as a
// pull request would: with a contradiction it fails, without one it passes.
func TestCIRecipe(t *testing.T) {
	b, err := os.ReadFile("../../docs/ci/engram-check.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(b, &w); err != nil {
		t.Fatal(err)
	}
	if branches := w.On.PullRequest.Branches; len(branches) != 1 || branches[0] != "engram" || w.Permissions["contents"] != "read" || len(w.Permissions) != 1 {
		t.Errorf("it runs on %v with %v", branches, w.Permissions)
	}
	steps := w.Jobs["check"].Steps
	check := steps[len(steps)-1]
	if check.Name != "Check" || check.Env["BASE"] == "" || check.Env["ENGRAM"] == "" {
		t.Fatalf("the last step is %+v", check)
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Ada\n\temail = ada@example.com\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	self := engramIn(t, home)
	dir := filepath.Join(home, "repo")
	env := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "PATH="+filepath.Dir(self)+string(os.PathListSeparator)+os.Getenv("PATH"))
	sh := func(script string, more ...string) (string, error) {
		cmd := exec.Command("sh", "-e", "-c", script)
		cmd.Dir, cmd.Env = home, append(env, more...)
		if _, err := os.Stat(dir); err == nil {
			cmd.Dir = dir
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	must := func(script string) string {
		t.Helper()
		out, err := sh(script)
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return strings.TrimSpace(out)
	}
	must(`git init -q -b main repo`)
	must(`git commit -q --allow-empty -m code; engram init; engram commit "The gateway listens on port 8443." --scope infra --key domain/infra/gw`)
	base := must(`git rev-parse engram`)
	// A workflow beside the facts is none of lint's business.
	must(`git worktree add -q ../memory engram; mkdir -p ../memory/.github/workflows; echo "name: engram" > ../memory/.github/workflows/a.yml
git -C ../memory add .; git -C ../memory commit -q -m workflow; git worktree remove ../memory`)
	request := func(claim, key string) (string, error) {
		must(`git checkout -q --detach; engram commit "` + claim + `" --scope infra --key ` + key + `; git checkout -q --detach engram`)
		return sh(check.Run, "BASE="+base, "ENGRAM="+self)
	}
	if out, err := request("The cache holds 100 entries.", "domain/infra/cache"); err != nil || !strings.Contains(out, "clean") && strings.Contains(out, "fail") {
		t.Errorf("a harmless request: %v\n%s", err, out)
	}
	if out, err := request("The gateway listens on port 9443.", "domain/infra/other"); err == nil || !strings.Contains(out, "9443") {
		t.Errorf("a contradiction passes: %v\n%s", err, out)
	}
}

// engramIn puts an engram, which is this test binary, into a folder.
func engramIn(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "bin", "engram")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, path); err != nil {
		t.Skip("no symbolic links here")
	}
	return path
}
