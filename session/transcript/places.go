package transcript

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// ResumeCommand is the command that continues a session in its client; nil if the format
// has no client that could.
func (f Format) ResumeCommand(sessionID string) []string {
	switch f.Client() {
	case string(ClaudeCode):
		return []string{"claude", "--resume", sessionID}
	case string(Codex):
		return []string{"codex", "resume", sessionID}
	case string(Gemini):
		return []string{"gemini", "--resume", sessionID}
	case string(OpenCode):
		return []string{"opencode", "--session", sessionID}
	}
	return nil
}

// Places returns where the transcripts of a project are, as patterns of filepath.Glob.
// project is the absolute path of the folder that the client was started in. Codex and
// OpenCode keep the sessions of all projects together: Meta.Cwd tells whose one is. For
// OpenCode the patterns find the sessions; the messages of a session ID are in
// message/ID beside that folder, the parts of a message ID in part/ID.
func (f Format) Places(home string, getenv func(string) string, project string) []string {
	switch f {
	case ClaudeCode:
		folder := filepath.Join(literal(cmp.Or(getenv("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude"))), "projects", munged(project))
		return []string{filepath.Join(folder, "*.jsonl"), filepath.Join(folder, "*", "subagents", "*.jsonl")}
	case Codex:
		root := literal(cmp.Or(getenv("CODEX_HOME"), filepath.Join(home, ".codex")))
		return []string{
			filepath.Join(root, "sessions", "*", "*", "*", "rollout-*.jsonl"),
			filepath.Join(root, "sessions", "rollout-*.jsonl"),
			filepath.Join(root, "archived_sessions", "rollout-*.jsonl"),
		}
	case Gemini, GeminiLines:
		sum := sha256.Sum256([]byte(project))
		suffix := map[Format]string{Gemini: ".json", GeminiLines: ".jsonl"}[f]
		var found []string
		for _, name := range []string{hex.EncodeToString(sum[:]), literal(strings.ToLower(filepath.Base(project)))} {
			chats := filepath.Join(literal(home), ".gemini", "tmp", name, "chats")
			found = append(found, filepath.Join(chats, "session-*"+suffix), filepath.Join(chats, "*", "*"+suffix))
		}
		return found
	case OpenCodeStorage:
		data := literal(cmp.Or(getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share")))
		return []string{filepath.Join(data, "opencode", "storage", "session", "*", "*.json")}
	}
	return nil
}

// munged is a path as Claude Code names a folder after it: all but letters and digits are
// hyphens.
func munged(project string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, project)
}

// literal is a path as a pattern that matches nothing else.
func literal(path string) string {
	if filepath.Separator == '\\' { // where a pattern has no escapes
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
