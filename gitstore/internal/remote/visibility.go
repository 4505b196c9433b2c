package remote

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/internal/lazyregexp"
)

// Visibility is who may read a remote.
type Visibility string

// The visibilities.
const (
	Public  Visibility = "public"  // anyone: it answered an anonymous client
	Private Visibility = "private" // it did not
	Local   Visibility = "local"   // a path on this machine or a mounted one; nothing was requested
	Unknown Visibility = "unknown" // the request failed
)

// VisibilityOf asks the address of a remote for its branches as an anonymous client, for remoteWait at most. For an ssh address, which always
// identifies the user, it requests the https form of the same path: hosting services
// show public repositories there. An error is the context's alone.
func (c *Client) VisibilityOf(ctx context.Context, address string) (Visibility, error) {
	asked := anonymousAddress(address)
	if asked == "" {
		return Local, nil
	}
	wait, cancel := context.WithTimeout(ctx, remoteWait)
	defer cancel()
	err := c.askAnonymously(wait, asked)
	if ctx.Err() != nil {
		return Unknown, context.Cause(ctx)
	}
	if err == nil {
		return Public, nil
	}
	var said *gitcmd.Error
	switch {
	case !errors.As(err, &said):
	case asked == address && containsAny(said.Stderr, "Authentication failed", "could not read Username", "terminal prompts disabled",
		"not found", "returned error: 401", "returned error: 403", "returned error: 404"):
		return Private, nil
	case asked != address && containsAny(said.Stderr, "Authentication failed", "could not read Username", "terminal prompts disabled"):
		return Private, nil // a host that does not serve git there answers otherwise
	}
	c.repo.Log.Debug("visibility of a remote not known", "error", err)
	return Unknown, nil
}

// askAnonymously lists the branches at an address with a git without an identity:
// no configuration but the proxy and the authorities for certificates, hence no
// credential helper and no header with a token; a home without .netrc; nothing
// that could ask; and a folder that is in no repository.
func (c *Client) askAnonymously(ctx context.Context, address string) error {
	home, err := os.MkdirTemp("", "engram-nobody-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	args := []string{"-c", "credential.helper=", "-c", "core.askPass="}
	for _, setting := range []string{"http.proxy", "http.sslCAInfo", "http.sslCAPath"} {
		value, err := gitcmd.Run(ctx, c.repo.CommonDir, "config", "--get-urlmatch", setting, address)
		if value = strings.TrimSpace(value); err == nil && value != "" {
			args = append(args, "-c", setting+"="+value)
		}
	}
	args = append(args, "ls-remote", "--heads", "--", address)
	cmd := gitcmd.Find(ctx, home, args...)
	cmd.Env = append(withoutUser(cmd.Env), "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(home), "GIT_ALLOW_PROTOCOL=http:https:git")
	_, err = gitcmd.Output(ctx, cmd, args)
	return err
}

// withoutUser removes the variables that identify the user from an environment.
func withoutUser(env []string) []string {
	identifying := []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "SSH_ASKPASS", "SSH_AUTH_SOCK", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}
	return slices.DeleteFunc(env, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(identifying, name)
	})
}

// anonymousAddress is the address that an anonymous client would use for another, or
// "" for a path.
func anonymousAddress(address string) string {
	address = WithoutSecrets(address)
	if host, path, ok := sshAddress(address); ok {
		return "https://" + host + "/" + path
	}
	scheme, _, _ := strings.Cut(address, "://")
	switch strings.ToLower(scheme) {
	case "http", "https", "git":
		return address
	}
	return ""
}

// scpForm is user@host:path. One letter before the colon is a drive of Windows,
// and a slash before it makes it a path.
var scpForm = lazyregexp.New(`^(?:[^@/\s]+@)?([^@:/\\\s]{2,}):(/?[^:\s].*)$`)

// sshAddress takes an address for ssh apart, in either of its forms. The port
// belongs to ssh and is dropped.
func sshAddress(address string) (host, path string, ok bool) {
	u, err := url.Parse(address)
	if err == nil && (u.Scheme == "ssh" || u.Scheme == "git+ssh" || u.Scheme == "ssh+git") {
		return u.Hostname(), strings.TrimLeft(u.Path, "/"), u.Hostname() != ""
	}
	if strings.Contains(address, "://") {
		return "", "", false
	}
	if m := scpForm.FindStringSubmatch(address); m != nil {
		return m[1], strings.TrimLeft(m[2], "/"), true
	}
	return "", "", false
}

// WithoutSecrets is the address of a remote without what only one person may
// use: the user and password of a web address, and what follows its path; of
// one for ssh the password, since the user is part of the address there. Of a
// malformed URL nothing is kept that could be a user or a password.
func WithoutSecrets(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		scheme, rest, found := strings.Cut(address, "://")
		host, path, _ := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); found && at >= 0 {
			address = scheme + "://" + host[at+1:] + "/" + path
		}
	}
	if err != nil || u.Host == "" {
		return withoutPassword(address)
	}
	switch u.Scheme {
	case "http", "https", "ftp", "ftps", "git":
		u.User, u.RawQuery, u.Fragment = nil, "", ""
	default:
		if u.User != nil {
			u.User = url.User(u.User.Username())
		}
	}
	return u.String()
}

// SameAddress reports whether two addresses of remotes lead to one repository,
// as far as the addresses tell: it compares host and path, and ignores the
// protocol, the user, the port of ssh and a .git at the end.
func SameAddress(a, b string) bool { return normalAddress(a) == normalAddress(b) }

func normalAddress(address string) string {
	address = WithoutSecrets(strings.TrimSpace(address))
	host, path, ok := sshAddress(address)
	if u, err := url.Parse(address); !ok && err == nil && u.Host != "" && u.Scheme != "file" {
		host, path, ok = strings.ToLower(u.Hostname()), u.Path, true
		if port := u.Port(); port != "" && port != "443" && port != "80" {
			host += ":" + port
		}
	}
	if !ok { // a path
		address = strings.TrimPrefix(address, "file://")
		return strings.TrimSuffix(filepath.ToSlash(filepath.Clean(address)), ".git")
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	return strings.ToLower(host) + "/" + strings.TrimSuffix(path, "/")
}
