package web_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrorsNameNoFiles of this machine: the log alone has them.
func TestErrorsNameNoFiles(t *testing.T) {
	g := newGateway(t, true)
	bus := filepath.Join(g.dir, ".git", "engram", "bus")
	for _, name := range []string{"turns.json", "key"} {
		if err := os.MkdirAll(filepath.Join(bus, name, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, a := range map[string]answer{
		"turn":  g.as(t, "child", "GET", "/turn", nil),
		"deref": g.as(t, "child", "POST", "/pointer/deref", object{"pointer": g.ref("internal/auth.go#L1")}),
		"grant": g.as(t, "planner", "POST", "/grant", object{"child": "child", "pointer": g.ref("internal/auth.go#L1")}),
	} {
		if a.status < 500 || strings.Contains(a.body, g.dir) || strings.Contains(a.body, "json") || strings.Contains(a.body, "directory") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	g.stop()
	if log := g.log.String(); !strings.Contains(log, "turns.json") || !strings.Contains(log, "msg=failed") {
		t.Errorf("the log does not say why: %s", log)
	}
}

// TestHintsNameParameters and not what the command line calls them.
func TestHintsNameParameters(t *testing.T) {
	g := newGateway(t, true)
	a := g.as(t, "child", "GET", "/engram/query", nil)
	isError(t, "nothing asked", a, 400, "usage")
	if !strings.Contains(a.body, "or q: ") || !strings.Contains(a.body, "embedding_ref: ") || strings.Contains(a.body, "or text: ") {
		t.Errorf("%s", a.body)
	}
}
