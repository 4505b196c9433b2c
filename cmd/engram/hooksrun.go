package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"engram/hooks"
	"engram/memory"
)

// hookSettings are those of the git hooks.
type hookSettings struct {
	timeout time.Duration // 0: hooks.DefaultTimeout
	push    bool          // a push carries the memory along
}

func knownHookSettings() []setting {
	return []setting{
		{"hooks.timeout", "ENGRAM_HOOKS_TIMEOUT", func(s *settings, v string) error { return setDuration(&s.hooks.timeout, v) }},
		{"hooks.push", "ENGRAM_HOOKS_PUSH", func(s *settings, v string) error { return setSwitch(&s.hooks.push, v) }},
	}
}

func setSwitch(field *bool, value string) error {
	switch value {
	case "on", "off":
		*field = value == "on"
		return nil
	}
	return fmt.Errorf("%q is neither on nor off", value)
}

const hooksRunLong = `Do what a hook is for. The hooks that "engram hooks install" writes call it,
with the arguments that git gave them; nobody else needs to.

Exit code 4 stops the commit that is being made; every other one is ignored.`

func newHooksRunCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "run HOOK [ARG…]", Short: "Do what a hook is for", Long: hooksRunLong,
		Example: "  engram hooks run post-merge 0",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return missing("hooks run", "the name of the hook")
			}
			return nil
		},
		ValidArgs: hooks.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runHook(cmd.Context(), g, args[0], args[1:])
		},
	}
	cmd.Flags().SetInterspersed(false) // what git hands over is no option
	return cmd
}

// runHook fails open: what keeps it from working is one line and no exit status.
func runHook(ctx context.Context, g *globals, name string, args []string) error {
	if !hooks.IsHook(name) || g.getenv(hooks.Inside) != "" {
		return nil
	}
	place, err := hooks.Locate(".", g.getenv)
	if err != nil {
		return nil
	}
	// The repository is the one that git says, whatever the user's ENGRAM_REPO is.
	g.repo = place.Open
	s, err := g.settings()
	if err != nil {
		g.io.message("engram: %s was left out: %s", name, err.Error())
		return nil
	}
	exit := hooks.Run(ctx, hooks.RunOptions{
		Name: name, Args: args, Place: place, Branch: cmp.Or(s.branch, memory.DefaultBranch),
		Stdin: g.io.in, Stderr: g.io.err, Getenv: g.getenv, Now: time.Now,
		Timeout: s.hooks.timeout, Push: s.hooks.push,
		Open: func(ctx context.Context) (hooks.Memory, func(), error) {
			m, done, err := g.openForHook(ctx, s)
			return m, done, err
		},
	})
	if exit == hooks.Refused {
		return errRefused
	}
	return nil
}

// openForHook opens the memory with what an audit may ask, so that what a hook
// audits is audited as by anybody else. What is not there is not complained
// about each time git runs.
func (g *globals) openForHook(ctx context.Context, s settings) (*memory.Memory, func(), error) {
	quiet := g.silent()
	j := quiet.judges(s)
	m, done, err := quiet.openEmbedding(ctx, s, &memory.Options{Models: j.Models})
	if err != nil {
		j.close()
		return nil, nil, err
	}
	return m, func() { done(); j.close() }, nil
}

// silent is the same engram with nobody to talk to.
func (g *globals) silent() *globals {
	silent := *g.io
	silent.asks = false
	silent.err, silent.progress = io.Discard, newProgress(io.Discard, false, g.now)
	quiet := *g
	a := *g.app
	a.io = &silent
	quiet.app = &a
	return &quiet
}
