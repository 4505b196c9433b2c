package agents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/web"
)

// maxTokenFile bounds a file of tokens, in bytes.
const maxTokenFile = 64 << 10

// readTokens are those of the file, if one is named, and of ENGRAM_TOKEN.
func readTokens(g *app.Globals, path string) ([]web.Token, error) {
	tokens, err := web.ParseTokens([]byte(g.Getenv("ENGRAM_TOKEN")))
	if err != nil {
		return nil, fault.Usage("ENGRAM_TOKEN: "+err.Error(), "`engram serve --new-token` makes one")
	}
	if path == "" {
		return tokens, nil
	}
	text, err := readTokenFile(path)
	if err != nil {
		return nil, err
	}
	more, err := web.ParseTokens(text)
	if err == nil && len(more) == 0 {
		err = errors.New("has no token in it")
	}
	if err != nil {
		return nil, fault.Usage(fmt.Sprintf("%s: %v", path, err), "a line is TOKEN or AGENT TOKEN; `engram serve --new-token` makes one")
	}
	return append(more, tokens...), nil
}

// readTokenFile rejects a file that others can read, because its tokens are not secret.
func readTokenFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Usage(err.Error(), "a line of it is TOKEN or AGENT TOKEN; `engram serve --new-token` makes one")
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fault.Usage(fmt.Sprintf("%s: %v", path, err), "")
	case !info.Mode().IsRegular() || info.Size() > maxTokenFile:
		return nil, fault.Usage(fmt.Sprintf("%s: is not a file of at most %d bytes", path, maxTokenFile), "")
	case othersMay(info.Mode()):
		return nil, fault.Usage(fmt.Sprintf("%s: others may read or write it (mode %04o)", path, info.Mode().Perm()), "chmod 600 "+path+", and new tokens where others have read it")
	}
	b, err := io.ReadAll(io.LimitReader(f, maxTokenFile))
	if err != nil {
		return nil, fault.Usage(fmt.Sprintf("read %s: %v", path, err), "")
	}
	return b, nil
}

// othersMay reports whether anybody but the owner has a right to a file. Windows
// keeps those elsewhere.
func othersMay(mode fs.FileMode) bool { return runtime.GOOS != "windows" && mode.Perm()&0o077 != 0 }

// couldBeCommitted reports whether a file is in a work tree and not ignored there. If git
// fails, the answer is no: the result is only used for a warning.
func couldBeCommitted(ctx context.Context, path string) bool {
	if path == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	dir, name := filepath.Split(path)
	cmd := exec.CommandContext(ctx, "git", "-C", filepath.Join(".", dir), "check-ignore", "-q", "--", name)
	if filepath.IsAbs(dir) {
		cmd.Args[2] = dir
	}
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	var status *exec.ExitError
	return errors.As(cmd.Run(), &status) && status.ExitCode() == 1 // 0 is ignored, 128 no work tree
}
