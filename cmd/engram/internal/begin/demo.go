package begin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
)

type demoOptions struct {
	*app.Globals
	keep      bool
	dashboard bool
	noOpen    bool
}

const demoLong = `Show what engram does in a temporary repository: write facts, change one, find
them by question, point one at code that changes, look at history and at past
states, contradict a fact and settle that, judge two facts, retire one. Each
command is printed as it runs, by the engram and git that are installed here, so
you can repeat it. Your repositories and settings are neither read nor changed.

With --dashboard it fills the repository with the memory of a team at work and
shows that in the browser until Ctrl-C.`

// NewDemoCmd returns "engram demo".
func NewDemoCmd(g *app.Globals) *cobra.Command {
	opts := demoOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "demo", Short: "Show what engram does, in a temporary repository", Long: demoLong,
		Example: "  engram demo\n  engram demo --dashboard\n  engram demo --keep",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions, PreRunE: g.TextOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), opts, g.Out) },
	}
	cmd.Flags().BoolVar(&opts.keep, "keep", false, "keep the repository and print its path")
	cmd.Flags().BoolVar(&opts.dashboard, "dashboard", false, "show a lively memory in the browser instead")
	cmd.Flags().BoolVar(&opts.noOpen, "no-open", false, "with --dashboard: print the link and open no browser")
	return cmd
}

func runDemo(ctx context.Context, opts demoOptions, out *term.Streams) (err error) {
	self, err := opts.Executable()
	if err != nil {
		return fmt.Errorf("find the engram program: %w", err)
	}
	// A reader that stops reading, such as `| head`, must not end the demo before it cleans up.
	signal.Ignore(syscall.SIGPIPE)
	home, err := os.MkdirTemp("", "engram-demo-")
	if err != nil {
		return fmt.Errorf("make a throw-away folder: %w", err)
	}
	if !opts.keep {
		defer func() {
			if removeErr := os.RemoveAll(home); err == nil && removeErr != nil {
				err = fmt.Errorf("clean up: %w", removeErr)
			}
		}()
	}
	command := func(program string, args ...string) *exec.Cmd { return exec.CommandContext(ctx, program, args...) }
	d := &demo{command: command, io: out, engram: self, dir: filepath.Join(home, "shop"), env: demoEnv(home)}
	if err := os.Mkdir(d.dir, 0o755); err != nil {
		return fmt.Errorf("make a throw-away repository: %w", err)
	}
	if opts.dashboard {
		d.lively()
		d.show(ctx, opts.noOpen)
	} else {
		d.story()
	}
	if d.err != nil {
		return d.err
	}
	if opts.keep {
		out.Printf("\nKept: %s\n", d.dir)
	} else {
		out.Printf("\nThe throw-away repository is gone again. `engram init` begins yours.\n")
	}
	return nil
}

// demoEnv is the environment of the demo's processes: git and engram find no
// settings but those that the demo makes.
func demoEnv(home string) []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case strings.HasPrefix(name, "GIT_"), name == "ENGRAM_REPO", name == "ENGRAM_BRANCH", name == "ENGRAM_AGENT",
			strings.HasPrefix(name, "ENGRAM_QUERY_"), strings.HasPrefix(name, "ENGRAM_DETECT_"), strings.HasPrefix(name, "ENGRAM_LLM_"), name == "HOME", name == "USERPROFILE", name == "XDG_CONFIG_HOME":
		default:
			env = append(env, kv)
		}
	}
	return append(env, "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_PAGER=cat")
}

// demo runs one command after the other until one fails.
type demo struct {
	command func(program string, args ...string) *exec.Cmd // ends with the demo
	io      *term.Streams
	engram  string // the program itself
	dir     string
	env     []string
	err     error
}

func (d *demo) say(text string) {
	if d.err == nil {
		d.io.Printf("\n%s\n", d.io.Color.Bold("# "+text))
	}
}

// do shows a command and runs it with the demo's own streams, so that it
// prints what it would print to its reader.
func (d *demo) do(name string, args ...string) { d.run(0, name, args...) }

// doNo is do for a command that answers "no".
func (d *demo) doNo(name string, args ...string) { d.run(fault.ExitNo, name, args...) }

// run is do for a command that is to end with this exit status.
func (d *demo) run(status int, name string, args ...string) {
	if d.err != nil {
		return
	}
	shown := []string{name}
	for _, arg := range args {
		shown = append(shown, term.Quoted(arg))
	}
	d.io.Printf("%s %s\n", d.io.Color.Green("$"), strings.Join(shown, " "))
	if d.err = d.io.Flush(); d.err != nil {
		return
	}
	program := name
	if name == "engram" {
		program = d.engram
	}
	cmd := d.command(program, args...)
	cmd.Dir, cmd.Env = d.dir, d.env
	cmd.Stdout, cmd.Stderr = d.io.Stdout, d.io.Err
	cmd.WaitDelay = 2 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == status {
		return
	}
	if err == nil && status != 0 {
		err = fmt.Errorf("it ended with 0 instead of %d", status)
	}
	if err != nil {
		d.err = fmt.Errorf("the demo's command failed: %s: %w", strings.Join(shown, " "), err)
	}
}
