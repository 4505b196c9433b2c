package main

import (
	"context"

	"github.com/spf13/cobra"
)

type completionOptions struct {
	*globals
	root *cobra.Command
	args []string
}

const completionLong = `Print the script that lets a shell complete engram's commands, options, their
values and the keys of the memory.`

const completionExample = `  source <(engram completion bash)
  engram completion zsh > "${fpath[1]}/_engram"
  engram completion fish > ~/.config/fish/completions/engram.fish
  engram completion powershell | Out-String | Invoke-Expression`

func newCompletionCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell's completion script",
		Long: completionLong, Example: completionExample,
		ValidArgsFunction: cobra.FixedCompletions([]string{"bash", "zsh", "fish", "powershell"}, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCompletion(cmd.Context(), completionOptions{g, cmd.Root(), args}, g.io)
		},
	}
}

func runCompletion(_ context.Context, opts completionOptions, io *streams) error {
	if err := opts.textOnly("completion"); err != nil {
		return err
	}
	if len(opts.args) == 1 {
		switch opts.args[0] {
		case "bash":
			return opts.root.GenBashCompletionV2(io.out, true)
		case "zsh":
			return opts.root.GenZshCompletion(io.out)
		case "fish":
			return opts.root.GenFishCompletion(io.out, true)
		case "powershell":
			return opts.root.GenPowerShellCompletionWithDesc(io.out)
		}
	}
	return usage("completion takes the name of one shell: bash, zsh, fish or powershell", "`engram completion --help` says where the script goes")
}

// noArgs refuses arguments of commands that take none.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(cmd.Name()+" takes no argument", "`"+cmd.CommandPath()+" --help` shows its options")
}
