package torture_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/eval/torture"
)

// roleVariable makes the test binary a memory tool that does everything wrong.
const roleVariable = "ENGRAM_TEST_SLOPPY"

func TestMain(m *testing.M) {
	if os.Getenv(roleVariable) != "" {
		if err := sloppy(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// sloppy speaks the protocol of docs/reliability.md. It keeps facts in a file, loses
// every fourth, answers questions without the last one, has no permissions, no scan for
// secrets, and a sync that does nothing.
func sloppy(verb string) error {
	var in struct {
		Dir, Clone, Key, Text, About string
		Clones                       int
	}
	out := json.NewEncoder(os.Stdout)
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	file := filepath.Join(in.Clone, "facts.jsonl")
	switch verb {
	case "setup":
		for n := range in.Clones {
			clone := filepath.Join(in.Dir, fmt.Sprint(n))
			if err := os.Mkdir(clone, 0o755); err != nil {
				return err
			}
			if err := out.Encode(map[string]string{"clone": clone}); err != nil {
				return err
			}
		}
	case "commit":
		data, _ := os.ReadFile(file)
		line, err := json.Marshal(map[string]string{"key": in.Key, "text": in.Text})
		if err != nil {
			return err
		}
		if n := strings.Count(string(data), "\n"); n%4 == 3 {
			line = []byte("{}")
		}
		return os.WriteFile(file, append(append(data, line...), '\n'), 0o644)
	case "read":
		data, _ := os.ReadFile(file)
		lines := strings.SplitAfter(string(data), "\n")
		if in.About != "" && len(lines) > 2 {
			lines = lines[:len(lines)-2]
		}
		fmt.Print(strings.Join(lines, ""))
	}
	return nil
}

// TestMeasuresFindWhatIsWrong: each measure finds what the sloppy tool does wrong.
func TestMeasuresFindWhatIsWrong(t *testing.T) {
	t.Setenv(roleVariable, "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, err := torture.Run(t.Context(), "sloppy", torture.NewProgram(self), t.TempDir(), torture.Options{Writes: 12, Histories: 1, Answers: 12, Secrets: 4})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != len(torture.Measures()) {
		t.Errorf("%d results", len(r.Results))
	}
	for _, m := range r.Results {
		if m.Bad == 0 {
			t.Errorf("%s found nothing: %+v", m.Measure, m)
		}
	}
}

// TestNotes: plain git loses nothing to kills, keeps every secret, and says that it has no
// permissions.
func TestNotes(t *testing.T) {
	r, err := torture.Run(t.Context(), "notes", torture.NewNotes(), t.TempDir(), torture.Options{
		Writes: 12, Answers: 4, Secrets: 3, Measures: []string{"lost", "stale", "forbidden", "secrets"},
	})
	if err != nil {
		t.Fatal(err)
	}
	lost, stale, forbidden, secrets := r.Results[0], r.Results[1], r.Results[2], r.Results[3]
	if lost.Acknowledged < 12 || lost.Bad+lost.Failed+stale.Bad+stale.Failed > 0 || !forbidden.Unsupported || secrets.Bad != 3 {
		t.Errorf("%+v", r)
	}
}
