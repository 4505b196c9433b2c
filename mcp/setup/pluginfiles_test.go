package setup

import "maps"

// pluginVersion is raised when what the plugins say changes: clients fetch an
// installed plugin anew only then.
const pluginVersion = "0.1.3"

const pluginAbout = "The shared memory of a team and its coding agents, kept in git: ask it before work, tell it what you verified."

// Plugin is the folder plugin/ of this project: by path, the files of a plugin for
// each client that has plugins, with what Install would write for it, and the lists
// by which clients find them.
func Plugin() map[string]string {
	files := map[string]string{
		".claude-plugin/marketplace.json": document(object{
			{"name", Name}, {"owner", object{{"name", Name}}}, {"description", pluginAbout},
			{"plugins", []any{object{{"name", Name}, {"source", "./claude-code"}, {"description", pluginAbout}}}},
		}),
		".agents/plugins/marketplace.json": document(object{
			{"name", Name}, {"plugins", []any{object{
				{"name", Name}, {"source", object{{"source", "local"}, {"path", "./codex"}}},
				{"policy", object{{"installation", "AVAILABLE"}, {"authentication", "ON_INSTALL"}}}, {"category", "Developer Tools"},
			}}},
		}),
	}
	manifest := object{
		{"name", Name}, {"version", pluginVersion}, {"description", pluginAbout}, {"author", object{{"name", Name}}},
		{"license", "Apache-2.0"}, {"keywords", []string{"memory", "team", "git", "mcp"}},
	}
	files["claude-code/.claude-plugin/plugin.json"] = document(manifest)
	// Codex looks for nothing that the manifest does not name.
	files["codex/.codex-plugin/plugin.json"] = document(append(manifest,
		field{"skills", "./skills/"}, field{"mcpServers", "./.mcp.json"}, field{"hooks", "./hooks/hooks.json"}))
	for _, name := range []string{"claude-code", "codex"} {
		maps.Copy(files, pluginParts(name))
	}
	return files
}

// pluginParts are what both clients read in the same shape.
func pluginParts(client string) map[string]string {
	b := builder{client: client}
	return map[string]string{
		client + "/.mcp.json":              mustPut(b.typed("mcpServers")),
		client + "/hooks/hooks.json":       mustPut(b.grouped(pluginEvents[client])),
		client + "/skills/engram/SKILL.md": skillHead + Guide(nil),
	}
}

// pluginEvents are the events of a client.
var pluginEvents = map[string][]event{"claude-code": claudeEvents, "codex": codexEvents}

const skillHead = `---
name: engram
description: How to use the team's memory of this repository (MCP server engram). Use before work on an area of the code, before a decision about architecture, and after verifying something that others need to know.
---

`

func document(o object) string { return layout{unit: "  ", newline: "\n"}.render(o, "") + "\n" }

func mustPut(e edit) string {
	text, err := e.put("{}\n")
	if err != nil {
		panic(err) // an empty object takes everything: a mistake in this package
	}
	return text
}
