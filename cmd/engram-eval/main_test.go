package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary an engram-eval as well.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"engram-eval": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("TZ", "UTC")
			env.Setenv("TERM", "xterm")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": cmdExits},
	})
}

// cmdExits runs a command and checks its exit status: exits 2 engram-eval audit.
func cmdExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err = ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d; stderr: %s", got, want, ts.ReadFile("stderr"))
	}
}

// TestJSONFields retypes the fields that --json promises.
func TestJSONFields(t *testing.T) {
	for name, fields := range map[string]string{
		"retrieval --suite builtin": `name about facts items questions systems[] queries[].id queries[].ranks[] rows[].subset rows[].system rows[].questions
			rows[].recall_at_1 rows[].recall_at_5 rows[].recall_at_10 rows[].hit_at[] rows[].mrr_at_10 rows[].ndcg_at_10 rows[].tokens
			rows[].p50_ms rows[].p95_ms`,
		"detection --suite pairs": `name about pairs positives p50_us p95_us rows[].subset rows[].system rows[].pairs rows[].positives rows[].flagged
			rows[].right rows[].precision rows[].recall rows[].f1 rows[].false_alarms_per_1000 labels[].label labels[].positive
			labels[].pairs labels[].contradiction labels[].evolution labels[].ambiguous labels[].flagged labels[].naive
			labels[].agreement tiers[].tier tiers[].flagged tiers[].right tiers[].precision wrong[].id wrong[].label wrong[].verdict
			wrong[].tier`,
	} {
		out, err := exec.Command("engram-eval", append(strings.Fields(name), "--json")...).Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var object map[string]any
		if err := json.Unmarshal(out, &object); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		paths := map[string]bool{}
		leaves(object, "", paths)
		want := []string{"schema_version"}
		for _, field := range strings.Fields(fields) {
			want = append(want, "suites[]."+field)
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(maps.Keys(paths))); diff != "" {
			t.Errorf("%s: fields differ (-promised +printed):\n%s", name, diff)
		}
	}
}

func leaves(v any, path string, paths map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			leaves(value, strings.TrimPrefix(path+"."+name, "."), paths)
		}
	case []any:
		for _, value := range v {
			leaves(value, path+"[]", paths)
		}
	default:
		paths[path] = true
	}
}
