package main

import (
	"github.com/spf13/pflag"

	"engram/memory"
)

// branchOption is the --branch of commands that are about one code branch. Without a
// name it is the one that the work tree is on.
func branchOption(f *pflag.FlagSet, value *string, text string) {
	f.StringVar(value, "branch", "", text)
	f.Lookup("branch").NoOptDefVal = memory.CurrentBranch
}

// askOnOption is the --branch of questions.
func askOnOption(f *pflag.FlagSet, value *string) {
	f.StringVar(value, "branch", "", "ask as on the code branch `NAME` (default: that of this work tree; '*': on all)")
}
