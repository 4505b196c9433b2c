package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/mcp/setup"
)

// forget loses what was kept, as whoever deletes the folder does, and as a
// colleague's clone never had it.
func forget(t *testing.T, p setup.Place) {
	t.Helper()
	must(t, os.RemoveAll(p.ProjectKept))
	must(t, os.RemoveAll(p.HomeKept))
}

// TestForgottenNothingStays: without the copies, too, taking out what setup made
// leaves nothing in the project.
func TestForgottenNothingStays(t *testing.T) {
	for _, name := range setup.ClientNames() {
		t.Run(name, func(t *testing.T) {
			p := place(t)
			empty := snapshot(t, p)
			o := options(name)
			_, err := setup.Install(p, o)
			must(t, err)
			forget(t, p)
			o.Scopes = nil // a newer block, whose copy has the older one in it
			_, err = setup.Install(p, o)
			must(t, err)
			report, err := setup.Uninstall(p, o)
			must(t, err)
			for _, f := range report.Files {
				if f.State != setup.Deleted {
					t.Errorf("%+v", f)
				}
			}
			left := snapshot(t, p)
			for path, what := range left { // a client's folder at home is its own
				if strings.HasPrefix(path, "home/") && strings.HasPrefix(what, "d") {
					delete(left, path)
				}
			}
			if diff := cmp.Diff(empty, left); diff != "" {
				t.Errorf("left behind:\n%s", diff)
			}
		})
	}
}

// TestForgottenOthersStay: what is not engram's stays without the copies, to the
// byte where engram's part stood among lines of its own.
func TestForgottenOthersStay(t *testing.T) {
	p := place(t)
	files := map[string]string{
		".mcp.json":             "{\n  \"mcpServers\": {\n    \"a\": {}\n    // tail\n  }\n}\n",
		".claude/settings.json": "{\r\n\t\"permissions\": {}\r\n\t// tail\r\n}\r\n",
		".claude/commands/a.md": "a\n",
		".vscode/mcp.json":      "{\r\n\t\"inputs\": [],\r\n\t// tail\r\n}",
		".gemini/settings.json": "{\n  \"ui\": {}, // ui\n  // tail\n}\n",
		"opencode.json":         "{\n  // mine\n}\n",
		".cursor/rules":         "",
		"AGENTS.md":             "# Rules\n",
		"CLAUDE.md":             "",
	}
	for name, text := range files {
		write(t, filepath.Join(p.Project, name), text, 0o644)
	}
	before := snapshot(t, p)
	o := options("claude-code", "cursor", "vscode", "gemini", "opencode")
	_, err := setup.Install(p, o)
	must(t, err)
	forget(t, p)
	_, err = setup.Uninstall(p, o)
	must(t, err)
	if diff := cmp.Diff(before, snapshot(t, p)); diff != "" {
		t.Error(diff)
	}
}

// TestChangedBehindComment: where something else changed, engram's part goes from
// behind a comment without leaving a line.
func TestChangedBehindComment(t *testing.T) {
	p := place(t)
	path := filepath.Join(p.Project, ".vscode", "mcp.json")
	const text = "{\r\n\t\"servers\": {\r\n\t\t\"a\": { \"url\": \"http://x/\" }\r\n\t\t// tail\r\n\t}\r\n\t// tail\r\n}\r\n"
	write(t, path, text, 0o644)
	_, err := setup.Install(p, options("vscode"))
	must(t, err)
	changed := strings.NewReplacer("http://x", "https://y")
	write(t, path, changed.Replace(read(t, path)), 0o644)
	report, err := setup.Uninstall(p, options("vscode"))
	must(t, err)
	if report.Files[0].State != setup.Removed {
		t.Errorf("%+v", report.Files[0])
	}
	if diff := cmp.Diff(changed.Replace(text), read(t, path)); diff != "" {
		t.Error(diff)
	}
}

// TestForgottenLinks: a link is somebody else's, and so is the folder it leads to.
func TestForgottenLinks(t *testing.T) {
	p := place(t)
	o := options("claude-code")
	o.NoGuide = true
	shared := filepath.Join(p.Home, "shared")
	must(t, os.Mkdir(shared, 0o755))
	must(t, os.Symlink(shared, filepath.Join(p.Project, ".claude")))
	write(t, filepath.Join(p.Home, "mcp.json"), "", 0o644)
	must(t, os.Symlink(filepath.Join(p.Home, "mcp.json"), filepath.Join(p.Project, ".mcp.json")))
	_, err := setup.Install(p, o)
	must(t, err)
	forget(t, p)
	report, err := setup.Uninstall(p, o)
	must(t, err)
	if diff := cmp.Diff("project/.mcp.json removed\nproject/.claude/settings.json deleted\n", states(p, report)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{".claude", ".mcp.json"} {
		if _, err := os.Stat(filepath.Join(p.Project, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestHalfForgotten: where it is known that a file was there, and its bytes are
// lost, it is not deleted.
func TestHalfForgotten(t *testing.T) {
	p := place(t)
	path := filepath.Join(p.Project, ".mcp.json")
	write(t, path, "{}\n", 0o644)
	report, err := setup.Install(p, options("claude-code"))
	must(t, err)
	must(t, os.Remove(report.Files[0].Backup))
	report, err = setup.Uninstall(p, options("claude-code"))
	must(t, err)
	if report.Files[0].State != setup.Removed || read(t, path) != "{}\n" {
		t.Errorf("%+v: %q", report.Files[0], read(t, path))
	}
}
