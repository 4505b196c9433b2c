package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// partial reports whether this clone leaves objects to a remote, which git would fetch
// one by one as they are read (git clone --filter). It goes by the words that such a
// configuration has, and may be wrong about one that has them elsewhere: reads are the
// same then, in one more process.
func partial(commonDir string) bool {
	config, err := os.ReadFile(filepath.Join(commonDir, "config"))
	config = bytes.ToLower(config)
	return err == nil && (bytes.Contains(config, []byte("promisor")) || bytes.Contains(config, []byte("partialclone")))
}

// newCodeCat is what reads the code: cat itself, or in a partial clone one that fetches
// nothing.
func newCodeCat(commonDir string, cat *catFile) *catFile {
	if !partial(commonDir) {
		return cat
	}
	return &catFile{dir: commonDir, turn: newTurn(), local: true}
}

// locally keeps a git from fetching what is missing. Before 2.44 git does not know how
// to be told, and is not allowed any way of fetching instead.
func locally(cmd *exec.Cmd) *exec.Cmd {
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	return cmd
}

// runLocally is run, without fetching.
func runLocally(ctx context.Context, gitDir string, args ...string) (string, error) {
	return output(ctx, locally(command(ctx, gitDir, args...)), args)
}

// left makes an error that an object was left to the remote one that wraps ErrNotFound.
func left(err error) error {
	var failed *gitError
	if errors.As(err, &failed) && strings.Contains(failed.stderr, "promisor remote") {
		return fmt.Errorf("%w: it is missing from this clone, which is partial", ErrNotFound)
	}
	return err
}

// renameOption finds renamed files; in a partial clone only those that were not changed,
// for which nothing has to be read.
func (s *Store) renameOption() string {
	if s.code != s.cat {
		return "-M100%"
	}
	return "-M"
}
