package team

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const policyEditLong = `Open engram.yml in your editor, and commit the result. The editor is the one
that git uses: GIT_EDITOR, core.editor, VISUAL or EDITOR.

The text is checked as by "engram policy set". If it is rejected, or if somebody
else has changed engram.yml meanwhile, nothing is written, and your text is kept
in a file whose path is printed.`

const policyEditExample = `  engram policy edit
  EDITOR=nano engram policy edit`

func newPolicyEditCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "edit", Short: "Change the team's policy in your editor", Long: policyEditLong, Example: policyEditExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPolicyEdit(cmd.Context(), g, g.Out) },
	}
}

func runPolicyEdit(ctx context.Context, g *app.Globals, out *term.Streams) error {
	m, s, done, err := g.OpenToWrite(ctx)
	if err != nil {
		return err
	}
	defer done()
	policy, err := m.Policy(ctx)
	if err != nil {
		return err
	}
	editor, err := findEditor(ctx, g, m)
	if err != nil {
		return err
	}
	text, path, err := edited(ctx, out, editor, policy.Text)
	if err != nil {
		return err
	}
	result, err := m.SetPolicy(ctx, memory.SetPolicyInput{Text: lines(text), Base: policy.Blob, Agent: s.Agent})
	if err != nil {
		hint := "your text is in " + path + "; fix it and run `engram policy set --file " + term.Quoted(path) + "`"
		if errors.Is(err, memory.ErrUsage) {
			return fault.Usage(err.Error(), hint)
		}
		return fault.Hinted(err, hint)
	}
	_ = os.RemoveAll(filepath.Dir(path))
	return term.Print(out, g.JSON, result, printPolicyChange)
}

// findEditor is the command to edit with. Where nobody is at a terminal, only one
// that somebody named is started.
func findEditor(ctx context.Context, g *app.Globals, m *memory.Memory) (string, error) {
	if named := g.Getenv("GIT_EDITOR"); named != "" {
		return named, nil
	}
	if !g.Out.Asks && g.Getenv("VISUAL") == "" && g.Getenv("EDITOR") == "" {
		return "", fault.Usage("there is no terminal to edit in", "`engram policy set --file FILE` takes a text")
	}
	editor, err := m.Editor(ctx)
	if err != nil {
		return "", fault.Usage("no editor: "+err.Error(), "name one with EDITOR, or use `engram policy set --file FILE`")
	}
	return editor, nil
}

// edited opens a text in the editor, as a temporary file that is kept.
func edited(ctx context.Context, out *term.Streams, editor, text string) (changed, path string, err error) {
	dir, err := os.MkdirTemp("", "engram-policy-")
	if err != nil {
		return "", "", fmt.Errorf("edit engram.yml: %w", err)
	}
	path = filepath.Join(dir, "engram.yml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", "", fmt.Errorf("edit engram.yml: %w", err)
	}
	cmd := editorCommand(ctx, editor, path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = out.In, out.Err, out.Err
	if out.Asks {
		cmd.Stdout = out.Stdout
	}
	if err := cmd.Run(); err != nil {
		_ = os.RemoveAll(dir)
		return "", "", fault.Usage(fmt.Sprintf("the editor %s failed: %v; nothing was written", editor, err), "name another with EDITOR, or use `engram policy set --file FILE`")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", "", fmt.Errorf("edit engram.yml: %w", err)
	}
	return string(b), path, nil
}

// editorCommand runs an editor the way git does, through a shell, because it may have
// options. Without a shell, the command is split at blanks.
func editorCommand(ctx context.Context, editor, path string) *exec.Cmd {
	if shell, err := exec.LookPath("sh"); err == nil {
		return exec.CommandContext(ctx, shell, "-c", editor+` "$@"`, editor, path)
	}
	words := append(strings.Fields(editor), path)
	return exec.CommandContext(ctx, words[0], words[1:]...)
}
