package app

import (
	"errors"
	"fmt"
	"strings"
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

// One makes a command take exactly one argument. what says in messages what the argument
// is, and several is the hint if there are more; "" stands for the hint about a text that a
// shell has split into words.
func One(what, several string) cobra.PositionalArgs {
	atMostOne := AtMostOne(what, several)
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fault.Missing(commandName(cmd), "the "+what)
		}
		return atMostOne(cmd, args)
	}
}

// AtMostOne makes a command take one argument or none; what and several are those of One.
func AtMostOne(what, several string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < 2:
			return nil
		case several == "":
			return fault.TooMany(commandName(cmd), what)
		}
		return fault.Usage(commandName(cmd)+" takes one "+what, several)
	}
}

// OneKey makes a command take exactly one key of a fact.
func OneKey(cmd *cobra.Command, args []string) error {
	return One("key", "`engram list` shows the keys there are")(cmd, args)
}

// commandName is what messages call a command: its path without the program.
func commandName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// FlagError says in plain words why the value of a flag cannot be read; pflag says it in
// those of package strconv.
func FlagError(err error) string {
	var invalid *pflag.InvalidValueError
	if syntax := (*pflag.InvalidSyntaxError)(nil); errors.As(err, &syntax) { // it may be a private key, say
		return "an argument begins with two hyphens and is no option; -- in front of it makes it text"
	}
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	wanted := map[string]string{
		"int": "a whole number", "float64": "a number", "bool": "true or false", "duration": "a duration such as 30s or 5m",
	}[invalid.GetFlag().Value.Type()]
	if wanted == "" {
		return err.Error()
	}
	return fmt.Sprintf("--%s takes %s, not %q", invalid.GetFlag().Name, wanted, invalid.GetValue())
}

// NotZero rejects an explicit 0 for the named flags, which stands for their default. why
// says what is wrong with it.
func NotZero(cmd *cobra.Command, why string, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f.Changed && (f.Value.String() == "0" || f.Value.String() == "0s") {
			return fault.Usage("--"+name+" 0 "+why, "omit --"+name+" to use the default")
		}
	}
	return nil
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
