package agents

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/memory"
)

// forAgent reports whether a brief is for another agent.
func (opts briefOptions) forAgent() bool {
	return opts.in.Goal != "" || len(opts.in.Instructions) > 0 || opts.in.Child != ""
}

// check rejects options that would have no effect.
func (opts briefOptions) check(flags *pflag.FlagSet) error {
	if opts.forAgent() {
		if flags.Changed("budget") {
			return fault.Usage("--budget is of the brief about the branch; a shared one has the inline budget of the bus", "omit --budget; bus.max_inline_tokens in .engram.yml sets the other")
		}
		return nil
	}
	for _, name := range []string{"grant", "role", "from", "from-role"} {
		if flags.Changed(name) {
			return fault.Usage("--"+name+" is of a brief for another agent", "add --to CHILD and --goal WORDS, or omit it")
		}
	}
	return nil
}

// briefFiles are the files of --file, from the top of the repository, or else the changed
// files. It warns of files that do not exist: no fact would match them.
func (opts briefOptions) briefFiles(ctx context.Context, m *memory.Memory, s config.Settings) []string {
	if len(opts.in.Files) == 0 {
		return changedFiles(opts.Globals, s)(ctx)
	}
	top := m.WorkTree()
	files := make([]string, len(opts.in.Files))
	for i, typed := range opts.in.Files {
		files[i] = opts.FromTop(top, typed)
		if _, err := os.Lstat(filepath.Join(top, filepath.FromSlash(files[i]))); top != "" && errors.Is(err, fs.ErrNotExist) {
			opts.Out.Message("warning: there is no file %s here", files[i])
		}
	}
	return files
}
