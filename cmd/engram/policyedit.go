package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

const policyEditLong = `Open engram.yml in your editor, and commit what you made of it. The editor is
the one that git uses: GIT_EDITOR, core.editor, VISUAL or EDITOR.

The text is checked as "engram policy set" does. Where it is refused, or where
somebody else was faster, nothing is written and your text is kept in a file
that is named.`

const policyEditExample = `  engram policy edit
  EDITOR=nano engram policy edit`

func newPolicyEditCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "edit", Short: "Change what the team agreed on, in your editor", Long: policyEditLong, Example: policyEditExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPolicyEdit(cmd.Context(), g, g.io) },
	}
}

func runPolicyEdit(ctx context.Context, g *globals, io *streams) error {
	m, s, err := g.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	policy, err := m.Policy(ctx)
	if err != nil {
		return err
	}
	editor, err := g.editor(ctx, m)
	if err != nil {
		return err
	}
	text, path, err := edited(ctx, io, editor, policy.Text)
	if err != nil {
		return err
	}
	result, err := m.SetPolicy(ctx, memory.SetPolicyInput{Text: lines(text), Base: policy.Blob, Agent: s.agent})
	if err != nil {
		hint := "your text is in " + path + "; mend it and run `engram policy set --file " + quoted(path) + "`"
		if errors.Is(err, memory.ErrUsage) {
			return usage(err.Error(), hint)
		}
		return hinted(err, hint)
	}
	_ = os.RemoveAll(filepath.Dir(path))
	return io.policyChanged(result, g.json)
}

// editor is the command to edit with. Where nobody is at a terminal, only one
// that somebody named is started.
func (g *globals) editor(ctx context.Context, m *memory.Memory) (string, error) {
	if named := g.getenv("GIT_EDITOR"); named != "" {
		return named, nil
	}
	if !g.io.asks && g.getenv("VISUAL") == "" && g.getenv("EDITOR") == "" {
		return "", usage("there is no terminal to edit in", "`engram policy set --file FILE` takes a text")
	}
	editor, err := m.Editor(ctx)
	if err != nil {
		return "", usage("no editor: "+err.Error(), "name one with EDITOR, or use `engram policy set --file FILE`")
	}
	return editor, nil
}

// edited lets a person change a text, in a file of its own that stays.
func edited(ctx context.Context, io *streams, editor, text string) (changed, path string, err error) {
	dir, err := os.MkdirTemp("", "engram-policy-")
	if err != nil {
		return "", "", fmt.Errorf("edit engram.yml: %w", err)
	}
	path = filepath.Join(dir, "engram.yml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", "", fmt.Errorf("edit engram.yml: %w", err)
	}
	cmd := editorCommand(ctx, editor, path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = io.in, io.err, io.err
	if io.asks {
		cmd.Stdout = io.stdout
	}
	if err := cmd.Run(); err != nil {
		_ = os.RemoveAll(dir)
		return "", "", usage(fmt.Sprintf("the editor %s failed: %v; nothing was written", editor, err), "name another with EDITOR, or use `engram policy set --file FILE`")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", "", fmt.Errorf("edit engram.yml: %w", err)
	}
	return string(b), path, nil
}

// editorCommand runs an editor the way git does, through a shell: it may have
// options. Where there is no shell, it is taken apart at blanks.
func editorCommand(ctx context.Context, editor, path string) *exec.Cmd {
	if shell, err := exec.LookPath("sh"); err == nil {
		return exec.CommandContext(ctx, shell, "-c", editor+` "$@"`, editor, path)
	}
	words := append(strings.Fields(editor), path)
	return exec.CommandContext(ctx, words[0], words[1:]...)
}
