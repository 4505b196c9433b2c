package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestAPIDoc runs every example of docs/api.md, one after the other in one shell, as
// somebody would who reads it. A block ends in the status that it gets.
func TestAPIDoc(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the examples are for curl, which is not here")
	}
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var about struct {
		About string
		skillFixture
	}
	readPack(t, "tests/fixture.json", &about)
	repo, _ := skillRepo(t, about.skillFixture)
	s := serveProcess(t, repo, "--token-file", tokenFile(t, "planner "+tokenOf("planner")+"\nchild "+tokenOf("child")+"\n"))
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 20 {
		t.Fatalf("%d examples", len(blocks))
	}
	var script strings.Builder
	for i, block := range blocks {
		fmt.Fprintf(&script, "%s\necho; echo '=== %d'\n", block[1], i)
	}
	cmd := exec.Command("sh", "-s")
	cmd.Dir, cmd.Stdin, cmd.Env = repo, strings.NewReader(script.String()), append(os.Environ(), "URL="+s.API)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %s\n%s", err, stderr.String(), out)
	}
	outputs := regexp.MustCompile(`(?m)^=== \d+\n`).Split(string(out), -1)
	status := regexp.MustCompile(`# (\d{3})\n$`)
	for i, block := range blocks {
		want := status.FindStringSubmatch(block[1])
		if want == nil {
			continue
		}
		lines := strings.Split(strings.TrimSpace(outputs[i]), "\n")
		if got := lines[len(lines)-1]; got != want[1] {
			t.Errorf("%s\ngot %s", block[1], outputs[i])
		}
	}
}
