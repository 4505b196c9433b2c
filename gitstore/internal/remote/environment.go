package remote

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/repo"
)

// transportVariables are the GIT_* variables that say how to reach a remote and
// who we are there: a person or a CI sets them, and they hold for whatever
// repository git works on. A name that ends in a star is a prefix. What is
// missing points at a repository, or is how one git hands settings to another
// (GIT_CONFIG_COUNT, GIT_CONFIG_PARAMETERS).
var transportVariables = []string{
	"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_PROXY_COMMAND", "GIT_PROXY_SSL_*", "GIT_SSL_*",
	"GIT_HTTP_*", "GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER", "GIT_TRACE*", "GIT_REDACT_*",
}

// transportEnvironment is environment with what belongs to transport. Without a
// person at the terminal nothing may ask: git does not prompt, Git Credential
// Manager opens no window, and ssh has neither a terminal (see ownGroup) nor,
// unless the environment insists on it, a dialog. GIT_ASKPASS stays: an editor
// or a CI that sets it has the answer.
func transportEnvironment(prompt bool) []string {
	env := gitcmd.Environment()
	if prompt {
		env = append(env, "GIT_TERMINAL_PROMPT=1")
	} else {
		env = append(env, "GCM_INTERACTIVE=never")
		if os.Getenv("SSH_ASKPASS_REQUIRE") == "" {
			env = append(env, "SSH_ASKPASS_REQUIRE=never", "SSH_ASKPASS=")
		}
	}
	for _, kv := range os.Environ() {
		if transportVariable(kv) {
			env = append(env, kv)
		}
	}
	return env
}

func transportVariable(kv string) bool {
	name, value, _ := strings.Cut(kv, "=")
	if strings.HasPrefix(name, "GIT_TRACE") && !filepath.IsAbs(value) {
		return false // a trace to git's standard error would be taken for what git says
	}
	return slices.ContainsFunc(transportVariables, func(allowed string) bool {
		prefix, star := strings.CutSuffix(allowed, "*")
		return name == allowed || star && strings.HasPrefix(name, prefix)
	})
}

// Transport prepares a git that talks to a remote. It runs where git itself
// would, because a remote may be a path relative to the work tree. A server
// that stops talking is given up after half a minute; ssh has to be told so in
// its own configuration, and ctx bounds everything. Cancelling ends what git
// started as well.
func (c *Client) Transport(ctx context.Context, args ...string) *exec.Cmd {
	cmd := gitcmd.Command(ctx, c.repo.CommonDir, append([]string{"-c", "http.lowSpeedLimit=100", "-c", "http.lowSpeedTime=30"}, args...)...)
	cmd.Env = transportEnvironment(c.prompt)
	if c.repo.WorkTree != "" && repo.Exists(c.repo.WorkTree) {
		cmd.Dir = c.repo.WorkTree
	}
	if !c.prompt {
		gitcmd.OwnGroup(cmd)
	}
	return cmd
}
