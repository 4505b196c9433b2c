package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// client is the client of a coding agent. docs/agents.md says which were tested, and where
// the others are documented.
type client struct {
	name, title string
	home        bool // its file of servers is in the home folder
	// Programs and files that show that somebody uses the client.
	programs, inProject, inHome []string
	server                      func(b builder) target
	hooks                       func(b builder) target // nil if the client has no hooks
	note                        string                 // for the person who sets it up
}

// clients returns the clients that can be set up. Each has its own files and formats.
func clients() []client {
	return []client{
		{
			name: "claude-code", title: "Claude Code", programs: []string{"claude"}, inProject: []string{".claude", ".mcp.json", "CLAUDE.md"}, inHome: []string{".claude"},
			server: func(b builder) target { return b.project(".mcp.json", b.typed("mcpServers")) },
			hooks: func(b builder) target {
				return b.project(".claude/settings.json", b.grouped(claudeEvents))
			},
			note: "Claude Code asks once, in each clone, whether it may use the project's server",
		},
		{
			name: "codex", title: "Codex", home: true, programs: []string{"codex"}, inHome: []string{".codex"},
			server: func(b builder) target { return b.inHome(b.codexHome("config.toml"), b.toml()) },
			hooks: func(b builder) target {
				return b.inHome(b.codexHome("hooks.json"), b.grouped(codexEvents))
			},
			note: "Codex runs new hooks only after you have reviewed them there, with /hooks",
		},
		{
			name: "cursor", title: "Cursor", programs: []string{"cursor", "cursor-agent"}, inProject: []string{".cursor"}, inHome: []string{".cursor"},
			server: func(b builder) target { return b.project(".cursor/mcp.json", b.typed("mcpServers")) },
			hooks:  func(b builder) target { return b.cursorHooks() },
		},
		{
			name: "vscode", title: "VS Code", programs: []string{"code"}, inProject: []string{".vscode"}, inHome: []string{".vscode"},
			server: func(b builder) target { return b.project(".vscode/mcp.json", b.typed("servers")) },
		},
		{
			name: "opencode", title: "OpenCode", programs: []string{"opencode"}, inProject: []string{"opencode.json", "opencode.jsonc", ".opencode"}, inHome: []string{".config/opencode"},
			server: func(b builder) target { return b.opencode() },
			hooks:  func(b builder) target { return b.openCodeHooks() },
		},
		{
			name: "gemini", title: "Gemini CLI", programs: []string{"gemini"}, inProject: []string{".gemini", "GEMINI.md"}, inHome: []string{".gemini/settings.json"},
			server: func(b builder) target { return b.project(".gemini/settings.json", b.untyped("mcpServers")) },
			hooks:  func(b builder) target { return b.geminiHooks() },
		},
		{
			name: "antigravity", title: "Antigravity", home: true, programs: []string{"antigravity", "agy"}, inHome: []string{".gemini/antigravity", ".antigravity", ".gemini/config"},
			server: func(b builder) target {
				return b.inHome(b.antigravityFile(), b.untyped("mcpServers"))
			},
			note: "Antigravity may start servers outside of the repository: where engram_status says so, add \"--repo\" and the repository's folder to args",
		},
		{
			name: "windsurf", title: "Windsurf", home: true, programs: []string{"windsurf"}, inHome: []string{".codeium/windsurf"},
			server: func(b builder) target {
				return b.inHome(filepath.Join(b.Home, ".codeium", "windsurf", "mcp_config.json"), b.untyped("mcpServers"))
			},
			note: "Windsurf may start servers outside of the repository: where engram_status says so, add \"--repo\" and the repository's folder to args",
		},
	}
}

// builder makes the targets of a client.
type builder struct {
	Place
	Options
	client string
	atHome bool // a file of one person, which may name a path of this machine
}

// targets returns the files of a client: that of the server, and that of the hooks if it
// is another one.
func (c client) targets(p Place, o Options) []target {
	b := builder{Place: p, Options: o, client: c.name, atHome: c.home}
	t := c.server(b)
	t.client, t.what = c.name, "server"
	if c.hooks == nil || b.NoHooks {
		return []target{t}
	}
	h := c.hooks(b)
	h.client, h.what = c.name, "hooks"
	if h.path == t.path {
		t.what, t.edits = "server, hooks", append(t.edits, h.edits...)
		return []target{t}
	}
	return []target{t, h}
}

// exact returns the edits of a target, without keeping arguments of an existing entry.
func (t target) exact() []edit {
	edits := slices.Clone(t.edits)
	for i, e := range edits {
		switch e := e.(type) {
		case jsonServer:
			e.keep = false
			edits[i] = e
		case tomlServer:
			e.keep = false
			edits[i] = e
		}
	}
	return edits
}

func (b builder) project(name string, edits ...edit) target {
	return target{path: filepath.Join(b.Project, filepath.FromSlash(name)), base: "{}\n", edits: edits}
}

func (b builder) inHome(path string, edits ...edit) target {
	t := target{path: path, home: true, base: "{}\n", edits: edits}
	if filepath.Ext(path) == ".toml" {
		t.base = ""
	}
	return t
}

// command returns how a client starts engram. Files that colleagues share name no path of
// one machine.
func (b builder) command() string {
	if b.atHome && !b.OnPath {
		return b.Binary
	}
	return "engram"
}

func (b builder) args() []string {
	args := []string{"mcp"}
	for _, p := range b.Profiles {
		args = append(args, "--profile", p)
	}
	return args
}

func (b builder) untyped(key string) jsonServer {
	return jsonServer{key: key, keep: b.Profiles == nil, fields: object{{"command", b.command()}, {"args", b.args()}}}
}

func (b builder) typed(key string) jsonServer {
	e := b.untyped(key)
	e.fields = append(object{{"type", "stdio"}}, e.fields...)
	return e
}

func (b builder) toml() tomlServer { return tomlServer{b.command(), b.args(), b.Profiles == nil} }

// The events at which clients run hooks. Clients that know none of a name may refuse the
// file, so only names are there that the client has had for long: without Claude Code's
// PostCompact, which a SessionStart follows.
var (
	claudeEvents = []event{
		{"SessionStart", "session-start"}, {"UserPromptSubmit", "prompt"}, {"PostToolUse", "tool"}, {"SubagentStop", "subagent"},
		{"PreCompact", "pre-compact"}, {"Stop", "stop"}, {"SessionEnd", "end"},
	}
	codexEvents = []event{
		{"SessionStart", "session-start"}, {"UserPromptSubmit", "prompt"}, {"PostToolUse", "tool"},
		{"PreCompact", "pre-compact"}, {"PostCompact", "compacted"}, {"Stop", "stop"},
	}
	geminiEvents = []event{
		{"SessionStart", "session-start"}, {"BeforeAgent", "prompt"}, {"AfterTool", "tool"},
		{"PreCompress", "pre-compact"}, {"AfterAgent", "stop"}, {"SessionEnd", "end"},
	}
	cursorEvents = []event{{"sessionStart", "session-start"}, {"preCompact", "pre-compact"}, {"stop", "stop"}}
)

// captures reports whether a hook does nothing but keep the session.
func captures(hook string) bool {
	switch hook {
	case "session-start", "pre-compact", "stop":
		return false
	}
	return true
}

// Time-outs of hooks, in seconds. A hook ends itself long before.
const (
	hookTimeout    = 5
	captureTimeout = 2
)

func timeoutOf(hook string) int {
	if captures(hook) {
		return captureTimeout
	}
	return hookTimeout
}

// hookCommand returns what a client runs at an event.
func (b builder) hookCommand(hook string) string {
	command := b.command()
	if strings.ContainsAny(command, " \t()&;'") {
		command = `"` + command + `"`
	}
	command += " hook " + hook + " --client " + b.client
	if b.NoSessions {
		command += " --no-sessions"
	}
	return command
}

// wanted splits events into those that are installed and those that are removed.
func (b builder) wanted(all []event) (wanted, unwanted []event) {
	for _, e := range all {
		if b.NoSessions && captures(e.hook) {
			unwanted = append(unwanted, e)
		} else {
			wanted = append(wanted, e)
		}
	}
	return wanted, unwanted
}

// grouped returns hooks in groups, in the format of Claude Code. There is no matcher: the
// hook is for every way in which a session starts, and for every tool.
func (b builder) grouped(all []event) jsonHooks {
	events, unwanted := b.wanted(all)
	return jsonHooks{
		events: events, unwanted: unwanted, command: b.hookCommand,
		entry: func(hook, command string) object {
			return object{{"hooks", []any{object{{"type", "command"}, {"command", command}, {"timeout", timeoutOf(hook)}}}}}
		},
	}
}

// geminiHooks returns hooks with names, and time-outs in milliseconds.
func (b builder) geminiHooks() target {
	hooks := b.grouped(geminiEvents)
	hooks.entry = func(hook, command string) object {
		return object{{"hooks", []any{object{{"name", "engram-" + hook}, {"type", "command"}, {"command", command}, {"timeout", timeoutOf(hook) * 1000}}}}}
	}
	return b.project(".gemini/settings.json", hooks)
}

func (b builder) cursorHooks() target {
	t := b.project(".cursor/hooks.json", jsonHooks{
		events: cursorEvents, command: b.hookCommand, flat: true,
		entry: func(_, command string) object { return object{{"command", command}} },
	})
	t.base = "{\n  \"version\": 1\n}\n"
	return t
}

func (b builder) opencode() target {
	name := "opencode.json"
	if !exists(filepath.Join(b.Project, name)) && exists(filepath.Join(b.Project, "opencode.jsonc")) {
		name = "opencode.jsonc"
	}
	t := b.project(name, jsonServer{
		key: "mcp", keep: b.Profiles == nil,
		fields: object{{"type", "local"}, {"command", append([]string{b.command()}, b.args()...)}},
		also:   object{{"enabled", true}},
	})
	// OpenCode writes this line itself into a file without it.
	t.base = "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n"
	return t
}

func (b builder) codexHome(name string) string {
	if dir := b.Getenv("CODEX_HOME"); dir != "" {
		return filepath.Join(dir, name)
	}
	return filepath.Join(b.Home, ".codex", name)
}

// antigravityFile returns the file of Antigravity 2, or that of version 1 if only that
// exists.
func (b builder) antigravityFile() string {
	files := []string{
		filepath.Join(b.Home, ".gemini", "config", "mcp_config.json"),
		filepath.Join(b.Home, ".gemini", "antigravity", "mcp_config.json"),
	}
	if i := slices.IndexFunc(files, exists); i >= 0 {
		return files[i]
	}
	return files[0]
}

// guideTargets returns AGENTS.md, and CLAUDE.md if it exists and does not import AGENTS.md.
func guideTargets(p Place, o Options) []target {
	agents := filepath.Join(p.Project, "AGENTS.md")
	names := []string{agents}
	claude := filepath.Join(p.Project, "CLAUDE.md")
	if text, err := os.ReadFile(claude); err == nil && !sameFile(agents, claude) {
		own := block{}.holds(string(text))
		if own || !imports(string(text), "AGENTS.md") {
			names = append(names, claude)
		}
	}
	var list []target
	for _, path := range names {
		list = append(list, target{what: "guide", path: path, edits: []edit{block{Guide(o.Scopes)}}, theirs: path == claude})
	}
	return list
}

// lacksImport reports whether no file that Claude Code reads gets the guide. A CLAUDE.md at
// the top gets the guide, unless it imports AGENTS.md.
func lacksImport(p Place, o Options) bool {
	if p.Project == "" || o.NoGuide || exists(filepath.Join(p.Project, "CLAUDE.md")) {
		return false
	}
	text, err := os.ReadFile(filepath.Join(p.Project, ".claude", "CLAUDE.md"))
	return err != nil || !imports(string(text), "../AGENTS.md")
}

// imports reports whether a text for Claude Code imports another file.
func imports(text, name string) bool {
	for _, word := range strings.Fields(text) {
		if at, ok := strings.CutPrefix(strings.TrimRight(word, ".,;:)"), "@"); ok && strings.TrimPrefix(at, "./") == name {
			return true
		}
	}
	return false
}
