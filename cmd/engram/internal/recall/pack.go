package recall

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const packLong = `Print what a model should have in its window at a turn, and no more: the
policy of the caller, the brief, how to recall, the state of the task, markers
of what left the window, the last turns and the new message. What never changes
stands first, so that caches of prompts keep it. Each block keeps to its budget;
without policy, last turns and message all has at most 2,500 tokens.

MESSAGE is the new message; - reads it from standard input. A policy or a
message is never cut: one that is too large is refused.

Clients with hooks get the same when they begin again after a compaction
(docs/compaction.md).

In a pipe it prints the text; --json has the blocks, with the tokens of each.`

const packExample = `  engram pack
  engram pack --session 0f3a --tail 2 "Go on with the load test."
  engram pack --task checkout --budget-markers 600 --json
  engram pack --system policy.md --budget-window 32000 - < message.txt`

type packOptions struct {
	*app.Globals
	in     memory.PackInput
	system string
}

// NewPackCmd returns "engram pack".
func NewPackCmd(g *app.Globals) *cobra.Command {
	opts := packOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "pack [MESSAGE|-]", Short: "Print what a model should have in its window", Long: packLong, Example: packExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			in := opts.in
			var err error
			if in.User, err = messageOf(cmd.InOrStdin(), args); err != nil {
				return err
			}
			if in.System, err = policyOf(opts.system); err != nil {
				return err
			}
			return answer(cmd.Context(), opts.Globals, printPack, func(m *memory.Memory, agent string) (memory.PackResult, error) {
				in.Agent = agent
				return m.Pack(cmd.Context(), in)
			})
		},
	}
	set := cmd.Flags()
	flags.Bind(set, &opts.in, "session_id", "task", "tail_turns", "left")
	flags.Bind(set, &opts.in.Budgets, "window", "headroom", "system", "brief", "task", "markers", "tail")
	set.StringVar(&opts.system, "system", "", "policy that stands first, in a `FILE`")
	completeTask(cmd, g)
	app.CompleteWith(cmd, "left", cobra.FixedCompletions([]string{memory.LeftAll, memory.LeftCompacted, memory.LeftNone}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// maxInput bounds what is read of a message or a policy, in bytes. More does not fit a window.
const maxInput = 16 << 20

// messageOf is the new message.
func messageOf(in io.Reader, args []string) (string, error) {
	if !slices.Equal(args, []string{"-"}) {
		return strings.Join(args, " "), nil
	}
	text, err := io.ReadAll(io.LimitReader(in, maxInput))
	if err != nil {
		return "", fmt.Errorf("read the message from standard input: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// policyOf reads the policy.
func policyOf(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fault.Usage("--system: "+err.Error(), "name a file with the policy")
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxInput))
	if err != nil {
		return "", fault.Usage("--system: "+err.Error(), "name a file with the policy")
	}
	return strings.TrimSpace(string(text)), nil
}

func printPack(out *term.Streams, r memory.PackResult) {
	for i, b := range r.Blocks {
		if i > 0 {
			out.Printf("\n")
		}
		if out.Terminal {
			head := []string{strings.ReplaceAll(b.Name, "_", " "), strconv.Itoa(b.Tokens) + " tokens"}
			if slices.Contains(r.Cut, b.Name) {
				head = append(head, "cut to its budget")
			}
			out.Printf("%s\n", out.Color.Dim(term.Dotted(head...)))
			printLines(out, "", b.Text)
			continue
		}
		out.Lines("", b.Text)
	}
	for _, note := range r.Notes {
		out.Message("note: %s", note)
	}
}
