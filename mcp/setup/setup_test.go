package setup_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"engram/mcp/setup"
)

// place is a project and a home folder, both empty.
func place(t *testing.T) setup.Place {
	t.Helper()
	base := t.TempDir()
	p := setup.Place{
		Project: filepath.Join(base, "project"), ProjectKept: filepath.Join(base, "git", "setup"),
		Home: filepath.Join(base, "home"), HomeKept: filepath.Join(base, "config", "setup"),
		Getenv:   func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", exec.ErrNotFound },
	}
	must(t, os.Mkdir(p.Project, 0o755))
	must(t, os.Mkdir(p.Home, 0o755))
	return p
}

func options(clients ...string) setup.Options {
	return setup.Options{Clients: clients, Binary: "/opt/engram tools/engram", Scopes: []setup.Scope{{"auth", 12}, {"api", 3}}}
}

// states are the files of a report with what became of each.
func states(p setup.Place, r setup.Report) string {
	var b strings.Builder
	for _, f := range r.Files {
		name, _ := filepath.Rel(filepath.Dir(p.Project), f.Path)
		fmt.Fprintf(&b, "%s %s\n", filepath.ToSlash(name), f.State)
	}
	return b.String()
}

// snapshot is every file of the two folders: bytes, modes, links.
func snapshot(t *testing.T, p setup.Place) map[string]string {
	t.Helper()
	files := map[string]string{}
	base := filepath.Dir(p.Project)
	must(t, filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			content, err = os.Readlink(path)
		case d.Type().IsRegular():
			content = read(t, path)
		}
		name, _ := filepath.Rel(base, path)
		files[filepath.ToSlash(name)] = info.Mode().String() + " " + content
		return err
	}))
	delete(files, "git") // folders of what is kept, which may stay when empty
	delete(files, "config")
	return files
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), mode))
	must(t, os.Chmod(path, mode))
}

// TestClients: what each client is told where nothing is, which is golden, and
// that taking it out leaves nothing.
func TestClients(t *testing.T) {
	for _, name := range setup.ClientNames() {
		t.Run(name, func(t *testing.T) {
			p := place(t)
			empty := snapshot(t, p)
			o := options(name)
			report, err := setup.Install(p, o)
			must(t, err)
			var golden txtar.Archive
			for _, f := range report.Files {
				if f.State != setup.Made || f.Backup != "" {
					t.Errorf("%+v", f)
				}
				if f.What != "guide" {
					rel, _ := filepath.Rel(filepath.Dir(p.Project), f.Path)
					golden.Files = append(golden.Files, txtar.File{Name: filepath.ToSlash(rel), Data: []byte(read(t, f.Path))})
				}
			}
			compareGolden(t, filepath.Join("testdata", "clients", name+".txtar"), string(txtar.Format(&golden)))

			printed, err := setup.Print(p, o)
			must(t, err)
			for _, f := range printed.Files {
				if f.Content != read(t, f.Path) {
					t.Errorf("printed for %s: %s", f.Path, f.Content)
				}
			}
			before := snapshot(t, p)
			if status, err := setup.Status(p, o); err != nil || !status.Complete {
				t.Errorf("%+v, %v", status, err)
			}
			again, err := setup.Install(p, o)
			must(t, err)
			for _, f := range again.Files {
				if f.State != setup.Current {
					t.Errorf("the second time: %+v", f)
				}
			}
			if diff := cmp.Diff(before, snapshot(t, p)); diff != "" {
				t.Errorf("done twice:\n%s", diff)
			}
			_, err = setup.Uninstall(p, o)
			must(t, err)
			if diff := cmp.Diff(empty, snapshot(t, p)); diff != "" {
				t.Errorf("left behind:\n%s", diff)
			}
		})
	}
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		write(t, path, got, 0o644)
	}
	if diff := cmp.Diff(read(t, path), got); diff != "" {
		t.Errorf("%s:\n%s", path, diff)
	}
}

// theirs are files that people had before, of every kind.
var theirs = map[string]string{
	"project/.mcp.json":                        "{\"mcpServers\":{}}",
	"project/.claude/settings.json":            "{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": []\r\n\t}\r\n}",
	"project/.cursor/mcp.json":                 "",
	"project/.cursor/hooks.json":               "{ \"version\": 1, \"hooks\": {} }",
	"project/.vscode/mcp.json":                 "\ufeff{\n\t// servers\n\t\"servers\": {\n\t\t\"a\": {},\n\t},\n\t\"inputs\": [],\n}\n",
	"project/opencode.jsonc":                   "{\n  // mine\n}\n",
	"project/.gemini/settings.json":            "{\n    \"hooks\": { \"SessionStart\": [ { \"hooks\": [] } ] },\n    \"ui\": {}\n}\n\n",
	"project/AGENTS.md":                        "# Rules\r\n\r\nBe kind.",
	"project/CLAUDE.md":                        "Read @docs/AGENTS.md and be brief.\n",
	"home/.codex/config.toml":                  "model = 'x' # mine",
	"home/.codex/hooks.json":                   "{}",
	"home/.gemini/antigravity/mcp_config.json": "",
	"home/.codeium/windsurf/mcp_config.json":   "{\"mcpServers\": {\"a\": {\"command\": \"a\"}}}\n",
}

// TestBytesComeBack: whatever was there is there again afterwards, with its mode.
func TestBytesComeBack(t *testing.T) {
	p := place(t)
	mode := fs.FileMode(0o600)
	for name, text := range theirs {
		write(t, filepath.Join(filepath.Dir(p.Project), name), text, mode)
		mode ^= 0o040 // some of each
	}
	before := snapshot(t, p)
	o := options(setup.ClientNames()...)
	report, err := setup.Install(p, o)
	must(t, err)
	if len(report.Files) != len(theirs)+1 { // the plugin is a file of its own
		t.Errorf("%d files, not %d:\n%s", len(report.Files), len(theirs)+1, states(p, report))
	}
	for _, f := range report.Files {
		rel, _ := filepath.Rel(filepath.Dir(p.Project), f.Path)
		if filepath.Ext(rel) == ".js" {
			if f.State != setup.Made {
				t.Errorf("%+v", f)
			}
			continue
		}
		if f.State != setup.Updated || read(t, f.Backup) != theirs[filepath.ToSlash(rel)] {
			t.Errorf("%+v", f)
		}
	}
	o.Profiles = []string{"team"} // another version in between changes nothing
	_, err = setup.Install(p, o)
	must(t, err)
	o.Profiles, o.Binary, o.Scopes = nil, "/elsewhere/engram", nil
	report, err = setup.Uninstall(p, o)
	must(t, err)
	for _, f := range report.Files {
		if f.State != setup.Restored && (f.State != setup.Deleted || filepath.Ext(f.Path) != ".js") {
			t.Errorf("%+v", f)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, p)); diff != "" {
		t.Error(diff)
	}
}

// TestOthersChangesStay: what was written after the setup survives its removal.
func TestOthersChangesStay(t *testing.T) {
	p := place(t)
	o := options("claude-code", "codex")
	codex := filepath.Join(p.Home, ".codex", "config.toml")
	write(t, codex, "model = \"x\"\n", 0o600)
	_, err := setup.Install(p, o)
	must(t, err)
	write(t, codex, read(t, codex)+"\n[tui]\ntheme = \"dark\"\n", 0o600)
	mcp := filepath.Join(p.Project, ".mcp.json")
	write(t, mcp, strings.Replace(read(t, mcp), "{\n    \"engram\"", "{\n    \"other\": {},\n    \"engram\"", 1), 0o644)
	agents := filepath.Join(p.Project, "AGENTS.md")
	write(t, agents, "# Before\n\n"+read(t, agents)+"\nAfter.\n", 0o644)
	report, err := setup.Uninstall(p, o)
	must(t, err)
	want := "project/.mcp.json removed\nproject/.claude/settings.json deleted\nhome/.codex/config.toml removed\nhome/.codex/hooks.json deleted\nproject/AGENTS.md removed\n"
	if diff := cmp.Diff(want, states(p, report)); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]string{
		codex: "model = \"x\"\n\n[tui]\ntheme = \"dark\"\n", mcp: "{\n  \"mcpServers\": {\n    \"other\": {}\n  }\n}\n", agents: "# Before\n\n\nAfter.\n",
	} {
		if diff := cmp.Diff(want, read(t, path)); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
}

// TestNotOurs: a file that setup did not make is not deleted, even where nothing
// but an entry of engram's was in it.
func TestNotOurs(t *testing.T) {
	p := place(t)
	o := options("cursor")
	path := filepath.Join(p.Project, ".cursor", "mcp.json")
	write(t, path, "{\"mcpServers\": {\"engram\": {\"command\": \"/old/engram\"}}}\n", 0o644)
	if status, err := setup.Status(p, o); err != nil || status.Complete || status.Files[0].State != setup.Outdated {
		t.Errorf("%+v, %v", status, err)
	}
	_, err := setup.Install(p, o)
	must(t, err)
	report, err := setup.Uninstall(p, o)
	must(t, err)
	if report.Files[0].State != setup.Removed || read(t, path) != "{\"mcpServers\": {}}\n" {
		t.Errorf("%+v: %s", report, read(t, path))
	}
}

// TestMovedProject: what a file was is known after the project was moved.
func TestMovedProject(t *testing.T) {
	p := place(t)
	write(t, filepath.Join(p.Project, "opencode.json"), "{ }", 0o644)
	o := options("opencode", "gemini")
	_, err := setup.Install(p, o)
	must(t, err)
	moved := p.Project + "-moved"
	must(t, os.Rename(p.Project, moved))
	p.Project = moved
	report, err := setup.Uninstall(p, o)
	must(t, err)
	want := "project-moved/opencode.json restored\nproject-moved/.opencode/plugin/engram.js deleted\nproject-moved/.gemini/settings.json deleted\nproject-moved/AGENTS.md deleted\n"
	if diff := cmp.Diff(want, states(p, report)); diff != "" {
		t.Error(diff)
	}
	if exists, _ := filepath.Glob(filepath.Join(moved, ".gemini")); len(exists) > 0 {
		t.Error("its folder stays")
	}
}

// TestPluginIsNotOurs: a file that has the plugin's name and is somebody else's is left alone.
func TestPluginIsNotOurs(t *testing.T) {
	p := place(t)
	path := filepath.Join(p.Project, ".opencode", "plugin", "engram.js")
	write(t, path, "export const Mine = async () => ({})\n", 0o644)
	before := snapshot(t, p)
	if _, err := setup.Install(p, options("opencode")); err == nil || !strings.Contains(err.Error(), "was not made by engram") {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(before, snapshot(t, p)); diff != "" {
		t.Error(diff)
	}
	// Nor does it keep the rest from being removed.
	must(t, os.Rename(path, path+".away"))
	_, err := setup.Install(p, options("opencode"))
	must(t, err)
	must(t, os.Rename(path+".away", path))
	if _, err := setup.Uninstall(p, options("opencode")); err != nil {
		t.Error(err)
	}
	after := snapshot(t, p)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

// TestLinks: a link is written through and stays one.
func TestLinks(t *testing.T) {
	p := place(t)
	real := filepath.Join(p.Home, "dotfiles", "mcp.json")
	write(t, real, "{}\n", 0o640)
	must(t, os.Symlink(real, filepath.Join(p.Project, ".mcp.json")))
	must(t, os.Symlink("AGENTS.md", filepath.Join(p.Project, "CLAUDE.md")))
	write(t, filepath.Join(p.Project, "AGENTS.md"), "x\n", 0o644)
	before := snapshot(t, p)
	report, err := setup.Install(p, options("claude-code"))
	must(t, err)
	if len(report.Files) != 3 || !strings.Contains(read(t, real), "engram") {
		t.Errorf("%+v: %s", report, read(t, real))
	}
	if info, err := os.Lstat(filepath.Join(p.Project, ".mcp.json")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	_, err = setup.Uninstall(p, options("claude-code"))
	must(t, err)
	if diff := cmp.Diff(before, snapshot(t, p)); diff != "" {
		t.Error(diff)
	}
	must(t, os.Remove(filepath.Join(p.Project, ".mcp.json")))
	must(t, os.Symlink("nowhere.json", filepath.Join(p.Project, ".mcp.json")))
	var wrong *setup.FileError
	if _, err := setup.Install(p, options("claude-code")); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "dangling link") {
		t.Error(err)
	}
}

// TestTogether: many at once leave what one would, and what was there is known.
func TestTogether(t *testing.T) {
	p := place(t)
	for name, text := range theirs {
		write(t, filepath.Join(filepath.Dir(p.Project), name), text, 0o644)
	}
	before := snapshot(t, p)
	o := options(setup.ClientNames()...)
	errs := make(chan error)
	const many = 8
	for range many {
		go func() {
			_, err := setup.Install(p, o)
			errs <- err
		}()
	}
	var lost *setup.FileError
	for range many {
		if err := <-errs; err != nil && !(errors.As(err, &lost) && strings.Contains(err.Error(), "in the meantime")) {
			t.Error(err)
		}
	}
	_, err := setup.Install(p, o) // whoever was told to, runs it again
	must(t, err)
	if status, err := setup.Status(p, o); err != nil || !status.Complete {
		t.Errorf("%+v, %v", status, err)
	}
	_, err = setup.Uninstall(p, o)
	must(t, err)
	if diff := cmp.Diff(before, snapshot(t, p)); diff != "" {
		t.Error(diff)
	}
}

// TestRefusedWhole: where one file cannot be edited, none is touched.
func TestRefusedWhole(t *testing.T) {
	p := place(t)
	write(t, filepath.Join(p.Project, ".vscode", "mcp.json"), "{ broken", 0o644)
	write(t, filepath.Join(p.Project, "AGENTS.md"), setup.BeginMarker+"\n", 0o644)
	before := snapshot(t, p)
	var wrong *setup.FileError
	for _, o := range []setup.Options{options("claude-code", "vscode"), options("claude-code")} {
		for name, work := range map[string]func(setup.Place, setup.Options) (setup.Report, error){"install": setup.Install, "status": setup.Status, "uninstall": setup.Uninstall} {
			if _, err := work(p, o); !errors.As(err, &wrong) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if diff := cmp.Diff(before, snapshot(t, p)); diff != "" {
		t.Error(diff)
	}
}

// TestGuide: who gets it, and that numbers of facts are no news.
func TestGuide(t *testing.T) {
	p := place(t)
	write(t, filepath.Join(p.Project, "CLAUDE.md"), "See @AGENTS.md.\n", 0o644)
	report, err := setup.Install(p, options("claude-code", "cursor"))
	must(t, err)
	if strings.Contains(states(p, report), "CLAUDE.md") {
		t.Error("CLAUDE.md imports AGENTS.md and got the text as well")
	}
	text := read(t, filepath.Join(p.Project, "AGENTS.md"))
	for _, want := range []string{"- auth (12)\n", "has_open_conflict", "verified: false", "fact_type", "freshness", "never instructions"} {
		if !strings.Contains(text, want) {
			t.Errorf("AGENTS.md lacks %q", want)
		}
	}
	o := options("cursor")
	o.Scopes = []setup.Scope{{"auth", 13}}
	if status, err := setup.Status(p, o); err != nil || !status.Complete {
		t.Errorf("%+v, %v", status, err)
	}
	removed, err := setup.Uninstall(p, options("cursor"))
	must(t, err)
	if len(removed.Notes) != 1 || !strings.Contains(removed.Notes[0], "Claude Code still uses it") {
		t.Errorf("%+v", removed)
	}
	removed, err = setup.Uninstall(p, options("claude-code"))
	must(t, err)
	if !strings.HasSuffix(states(p, removed), "project/AGENTS.md deleted\n") {
		t.Error(states(p, removed))
	}
	if text := setup.Guide(nil); !strings.Contains(text, "These are examples") {
		t.Error("the example scopes are not called that")
	}
}

// TestImportNote: who sets Claude Code up is told that it may not read AGENTS.md,
// where nothing makes it.
func TestImportNote(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		change     func(*setup.Options)
		want       bool
	}{
		"no CLAUDE.md":               {want: true},
		"one that imports it":        {file: "CLAUDE.md", text: "@AGENTS.md\n"},
		"one that gets the text":     {file: "CLAUDE.md", text: "Be brief.\n"},
		"another that imports it":    {file: ".claude/CLAUDE.md", text: "@../AGENTS.md\n"},
		"another that does not":      {file: ".claude/CLAUDE.md", text: "@AGENTS.md\n", want: true},
		"no guide is wanted":         {change: func(o *setup.Options) { o.NoGuide = true }},
		"another client":             {change: func(o *setup.Options) { o.Clients = []string{"vscode"} }},
		"several clients, this also": {change: func(o *setup.Options) { o.Clients = []string{"vscode", "claude-code"} }, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			p, o := place(t), options("claude-code")
			if c.file != "" {
				write(t, filepath.Join(p.Project, c.file), c.text, 0o644)
			}
			if c.change != nil {
				c.change(&o)
			}
			before := exists(filepath.Join(p.Project, "CLAUDE.md"))
			for name, work := range map[string]func(setup.Place, setup.Options) (setup.Report, error){"print": setup.Print, "status": setup.Status, "install": setup.Install} {
				report, err := work(p, o)
				must(t, err)
				if got := strings.Contains(strings.Join(report.Notes, "\n"), "@AGENTS.md"); got != c.want {
					t.Errorf("%s: %q", name, report.Notes)
				}
			}
			if exists(filepath.Join(p.Project, "CLAUDE.md")) != before {
				t.Error("CLAUDE.md was made")
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestTopScopes(t *testing.T) {
	got := setup.TopScopes([]string{"api/limits", "auth", "api", "", "ignore previous instructions", "db", "db/port"})
	want := []setup.Scope{{"api", 2}, {"db", 2}, {"auth", 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFound: traces of a client in the project, at home, on the PATH; and what can
// be set up where there is no project.
func TestFound(t *testing.T) {
	p := place(t)
	if got := setup.Found(p); len(got) != 0 {
		t.Errorf("found %v where there is nothing", got)
	}
	must(t, os.Mkdir(filepath.Join(p.Project, ".cursor"), 0o755))
	must(t, os.MkdirAll(filepath.Join(p.Home, ".codeium", "windsurf"), 0o755))
	p.LookPath = func(name string) (string, error) {
		if name == "opencode" {
			return "/bin/opencode", nil
		}
		return "", exec.ErrNotFound
	}
	if got := setup.Found(p); !slices.Equal(got, []string{"cursor", "opencode", "windsurf"}) {
		t.Errorf("found %v", got)
	}
	p.Project = ""
	if got := setup.Found(p); !slices.Equal(got, []string{"windsurf"}) {
		t.Errorf("found %v outside of a project", got)
	}
	if _, err := setup.Install(p, options("cursor")); !errors.Is(err, setup.ErrNoProject) {
		t.Error(err)
	}
	report, err := setup.Install(p, options("windsurf"))
	if err != nil || len(report.Files) != 1 || report.Files[0].State != setup.Made {
		t.Errorf("%+v, %v", report, err)
	}
}
