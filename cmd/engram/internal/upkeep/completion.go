package upkeep

import (
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
)

type completionOptions struct {
	*app.Globals
	root *cobra.Command
	args []string
}

const completionLong = `Print the script that lets a shell complete engram's commands, options, their
values and the keys of the memory.`

const completionExample = `  source <(engram completion bash)
  engram completion zsh > "${fpath[1]}/_engram"
  engram completion fish > ~/.config/fish/completions/engram.fish
  engram completion powershell | Out-String | Invoke-Expression`

// NewCompletionCmd returns "engram completion".
func NewCompletionCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell's completion script",
		Long: completionLong, Example: completionExample,
		ValidArgsFunction: cobra.FixedCompletions([]string{"bash", "zsh", "fish", "powershell"}, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCompletion(cmd.Context(), completionOptions{g, cmd.Root(), args}, g.Out)
		},
	}
}

func runCompletion(_ context.Context, opts completionOptions, out *term.Streams) error {
	if err := opts.TextOnly("completion"); err != nil {
		return err
	}
	if len(opts.args) == 1 {
		switch opts.args[0] {
		case "bash":
			return opts.root.GenBashCompletionV2(out.Data, true)
		case "zsh":
			return opts.root.GenZshCompletion(out.Data)
		case "fish":
			return opts.root.GenFishCompletion(out.Data, true)
		case "powershell":
			return opts.root.GenPowerShellCompletionWithDesc(out.Data)
		}
	}
	return fault.Usage("completion takes the name of one shell: bash, zsh, fish or powershell", "`engram completion --help` says where the script goes")
}
