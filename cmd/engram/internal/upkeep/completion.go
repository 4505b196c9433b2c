package upkeep

import (
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
)

const completionLong = `Print a script with which a shell completes engram's commands, their options and
values, and the keys of the memory.`

const completionExample = `  source <(engram completion bash)
  engram completion zsh > "${fpath[1]}/_engram"
  engram completion fish > ~/.config/fish/completions/engram.fish
  engram completion powershell | Out-String | Invoke-Expression`

// NewCompletionCmd returns "engram completion".
func NewCompletionCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell's completion script",
		Long: completionLong, Example: completionExample, PreRunE: g.TextOnly,
		ValidArgsFunction: cobra.FixedCompletions([]string{"bash", "zsh", "fish", "powershell"}, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch strings.Join(args, " ") {
			case "bash":
				return cmd.Root().GenBashCompletionV2(g.Out.Data, true)
			case "zsh":
				return cmd.Root().GenZshCompletion(g.Out.Data)
			case "fish":
				return cmd.Root().GenFishCompletion(g.Out.Data, true)
			case "powershell":
				return cmd.Root().GenPowerShellCompletionWithDesc(g.Out.Data)
			}
			return fault.Usage("completion takes the name of one shell: bash, zsh, fish or powershell", "`engram completion --help` says where the script goes")
		},
	}
}
