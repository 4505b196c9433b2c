package app

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"engram/cmd/internal/fault"
	"engram/memory"
)

// BranchOption is the --branch of commands that are about one code branch. Without a
// name it is the one that the work tree is on.
func BranchOption(f *pflag.FlagSet, value *string, text string) {
	f.StringVar(value, "branch", "", text)
	f.Lookup("branch").NoOptDefVal = memory.CurrentBranch
}

// NoArgs rejects arguments of commands that take none.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fault.Usage(cmd.Name()+" takes no argument", "`"+cmd.CommandPath()+" --help` shows its options")
}

// KnownAtFlag reads a time; any other text is a commit.
func KnownAtFlag(text string, now time.Time) (at time.Time, revision string) {
	if text == "" {
		return time.Time{}, ""
	}
	if t, err := parseTime(text, now); err == nil {
		return t, ""
	}
	return time.Time{}, text
}

// Group makes cmd a command that only has others below it. If cmd sets
// SuggestionsMinimumDistance, the nearest name is suggested.
func Group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		hint := "`engram " + cmd.Name() + " --help` lists what there is"
		if cmd.SuggestionsMinimumDistance > 0 {
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "did you mean `engram " + cmd.Name() + " " + near[0] + "`?"
			}
		}
		return fault.Usage("there is no command "+cmd.Name()+" "+args[0], hint)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(commands...)
	return cmd
}
