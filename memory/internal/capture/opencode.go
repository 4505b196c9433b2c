package capture

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"engram/session"
)

// openCodeTime is how long one command of OpenCode may take.
const openCodeTime = time.Minute

// exportOpenCode writes the sessions that OpenCode has of a work tree into a folder, in
// files that keep their names from one import to the next, so that a session that grew is
// continued. OpenCode keeps them in a database, which its own command reads. The note says
// what was left out.
func (in ImportInput) exportOpenCode(ctx context.Context, top, folder string) (files []string, note string) {
	program, err := exec.LookPath("opencode")
	if err != nil {
		data := cmp.Or(in.Getenv("XDG_DATA_HOME"), filepath.Join(in.Home, ".local", "share"))
		if _, err := os.Stat(filepath.Join(data, "opencode", "opencode.db")); err != nil {
			return nil, ""
		}
		return nil, "OpenCode's sessions are in a database: put opencode in PATH and import again, or import what `opencode export ID` writes"
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, "OpenCode's sessions were left out: " + err.Error()
	}
	list := filepath.Join(folder, "list")
	defer os.Remove(list)
	var sessions []struct {
		ID      string `json:"id"`
		Updated int64  `json:"updated"` // in milliseconds
	}
	err = runInto(ctx, list, top, program, "session", "list", "--format", "json")
	if err == nil {
		var data []byte
		if data, err = os.ReadFile(list); err == nil && len(data) > 0 { // nothing is printed if there are none
			err = json.Unmarshal(data, &sessions)
		}
	}
	if err != nil {
		return nil, "OpenCode's sessions were left out: opencode session list: " + err.Error()
	}
	for _, s := range sessions {
		updated := time.UnixMilli(s.Updated)
		if session.IDOf(s.ID) != s.ID || updated.Before(in.Since) {
			continue
		}
		file := filepath.Join(folder, s.ID+".json")
		files = append(files, file)
		if err := runInto(ctx, file, top, program, "export", s.ID); err != nil {
			files = files[:len(files)-1]
			_ = os.Remove(file)
			note = fmt.Sprintf("OpenCode's session %s was left out: opencode export: %v", s.ID, err)
			continue
		}
		_ = os.Chtimes(file, updated, updated) // the order of the import, and nothing else
	}
	return files, note
}

// runInto runs a program in a folder and writes what it prints to a file: OpenCode cuts
// long output to a pipe.
func runInto(ctx context.Context, file, folder, program string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, openCodeTime)
	defer cancel()
	out, err := os.OpenFile(file, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdout = folder, out
	if err := cmd.Run(); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}
