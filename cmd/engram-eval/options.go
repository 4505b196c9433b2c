package main

import (
	"cmp"
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/eval/corpus"
)

// evalOptions are those of every measurement by suites.
type evalOptions struct {
	*app.Globals
	data, golden string
	suites       []string
	update       bool
}

func (o *evalOptions) addTo(cmd *cobra.Command, suites []string) {
	flags := cmd.Flags()
	flags.StringVar(&o.data, "data", "", "read the suites' data from `DIR` (ENGRAM_DATA)")
	flags.StringArrayVar(&o.suites, "suite", nil, "run `NAME` alone: "+strings.Join(suites, ", "))
	flags.StringVar(&o.golden, "golden", "", "compare with the golden files in `DIR`")
	flags.BoolVar(&o.update, "update", false, "write the golden files instead")
}

func (o *evalOptions) check() error {
	if o.update && o.golden == "" {
		return fault.Usage("--update: --golden DIR is required", "it names the folder of the golden files")
	}
	return nil
}

func (o *evalOptions) folder() string { return cmp.Or(o.data, o.Getenv("ENGRAM_DATA")) }

// evalError adds hints to errors of the suites and their data. builtin is a suite that
// needs no data, if there is one.
func evalError(err error, command, builtin string) error {
	switch {
	case errors.Is(err, corpus.ErrUnknownSuite):
		return fault.Usage(err.Error(), "`engram-eval "+command+" --help` lists the suites")
	case errors.Is(err, corpus.ErrNoData):
		return fault.Usage(err.Error(), "name it with --data DIR")
	case errors.Is(err, fs.ErrNotExist):
		hint := "the measurements read public data that is not part of this repository"
		if builtin != "" {
			hint += "; --suite " + builtin + " needs none"
		}
		return fault.Usage(err.Error(), hint)
	}
	return err
}

// measured is a report that golden files are kept of.
type measured interface {
	WriteGolden(dir string) error
	DiffGolden(dir string) (string, error)
}

// settle compares a report that was printed with the golden files, or writes them.
func (o *evalOptions) settle(report measured, printed error) error {
	switch {
	case printed != nil:
		return printed
	case o.golden == "":
		return nil
	case o.update:
		return report.WriteGolden(o.golden)
	}
	diff, err := report.DiffGolden(o.golden)
	if err != nil || diff == "" {
		return err
	}
	for line := range strings.Lines(diff) {
		o.Out.Message("%s", strings.TrimRight(line, "\n"))
	}
	o.Out.Message("hint: if that is an improvement, --update keeps it")
	return fault.ErrAnsweredNo
}
