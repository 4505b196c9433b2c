package gitstore_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"engram/gitstore"
)

var signed = gitstore.Meta{Message: "add domain/x: signed\n", Sign: true}

// needsTool skips a test where a program is not installed.
func needsTool(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("needs %s", name)
	}
}

// signWithSSH lets the repository sign with a new key, which it trusts.
func signWithSSH(t *testing.T, dir, passphrase string) (key string) {
	t.Helper()
	needsTool(t, "ssh-keygen")
	folder := t.TempDir()
	key = filepath.Join(folder, "id")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v: %s", err, out)
	}
	public, err := os.ReadFile(key + ".pub")
	mustDo(t, err)
	allowed := filepath.Join(folder, "allowed")
	mustDo(t, os.WriteFile(allowed, append([]byte("ada@example.com "), public...), 0o644))
	gitIn(t, dir, "config", "gpg.format", "ssh")
	gitIn(t, dir, "config", "user.signingkey", key)
	gitIn(t, dir, "config", "gpg.ssh.allowedSignersFile", allowed)
	return key
}

func commitText(t *testing.T, store *gitstore.Store, parent, text string, meta gitstore.Meta) string {
	t.Helper()
	revision, err := store.Apply(t.Context(), parent, writes(map[string]string{"domain/x.yml": text}), meta)
	if err != nil {
		t.Fatal(err)
	}
	return revision
}

func signatures(t *testing.T, store *gitstore.Store, to string, without ...string) []gitstore.Signature {
	t.Helper()
	list, more, err := store.Signatures(t.Context(), to, without...)
	if err != nil || more {
		t.Fatalf("more %v, %v", more, err)
	}
	return list
}

func TestSignWithSSH(t *testing.T) {
	dir := newRepo(t)
	signWithSSH(t, dir, "")
	store := open(t, dir)
	began := time.Now().Truncate(time.Second) // which git counts in
	var first, second, third string
	unchanged(t, dir, func() {
		first = commitText(t, store, "", "1", gitstore.Meta{Message: "unsigned\n"})
		second = commitText(t, store, first, "2", signed)
		third = commitText(t, store, second, "3", signed)
	})
	fsck(t, dir)
	noLitter(t, store)
	gitIn(t, dir, "verify-commit", second)
	if got := contents(t, store, third)["domain/x.yml"]; got != "3" {
		t.Errorf("read %q", got)
	}
	entry, err := store.Describe(t.Context(), second)
	if err != nil || entry.Author != "Ada <ada@example.com>" || entry.Subject != "add domain/x: signed" || entry.Date.Before(began) {
		t.Errorf("%+v, %v", entry, err)
	}
	list := signatures(t, store, third)
	var statuses []string
	for _, s := range list {
		statuses = append(statuses, s.Status)
	}
	if strings.Join(statuses, "") != "GGN" || !list[0].Good() || list[2].Good() {
		t.Fatalf("signatures %+v", list)
	}
	if s := list[1]; s.Revision != second || s.Signer != "ada@example.com" || !strings.HasPrefix(s.Key, "SHA256:") ||
		s.Author != "Ada <ada@example.com>" || s.Subject != "add domain/x: signed" {
		t.Errorf("signature %+v", s)
	}
	if some := signatures(t, store, third, second); len(some) != 1 || some[0].Revision != third {
		t.Errorf("since %s: %+v", second, some)
	}
	if some := signatures(t, store, third, second+"^@"); len(some) != 2 {
		t.Errorf("from %s on: %+v", second, some)
	}
}

// TestUntrustedSignature: a signature that is whole, by a key that nobody here
// knows, is not good.
func TestUntrustedSignature(t *testing.T) {
	dir := newRepo(t)
	signWithSSH(t, dir, "")
	store := open(t, dir)
	revision := commitText(t, store, "", "1", signed)
	signWithSSH(t, dir, "") // trusts another key
	if s := signatures(t, store, revision)[0]; s.Good() || s.Status != "U" {
		t.Errorf("%+v", s)
	}
	gitIn(t, dir, "config", "--unset", "gpg.ssh.allowedSignersFile")
	if s := signatures(t, store, revision)[0]; s.Good() {
		t.Errorf("%+v", s)
	}
}

func TestSignWithGPG(t *testing.T) {
	needsTool(t, "gpg")
	home, err := os.MkdirTemp("", "gpg") // the path of a socket has to be short
	mustDo(t, err)
	t.Setenv("GNUPGHOME", home)
	t.Cleanup(func() {
		_ = exec.Command("gpgconf", "--homedir", home, "--kill", "all").Run()
		_ = os.RemoveAll(home)
	})
	make := exec.Command("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "Ada <ada@example.com>", "ed25519", "sign", "never")
	if out, err := make.CombinedOutput(); err != nil {
		t.Skipf("gpg makes no key here: %v: %s", err, out)
	}
	dir := newRepo(t)
	store := open(t, dir)
	revision := commitText(t, store, "", "1", signed)
	if s := signatures(t, store, revision)[0]; !s.Good() || s.Signer != "Ada <ada@example.com>" {
		t.Errorf("%+v", s)
	}
	fsck(t, dir)
}

// TestSignedConcurrently: writers that lose a race sign again.
func TestSignedConcurrently(t *testing.T) {
	dir := newRepo(t)
	signWithSSH(t, dir, "")
	const writers, each = 3, 4
	errs := make(chan error, writers)
	for w := range writers {
		store := open(t, dir)
		go func() {
			for i := range each {
				path := "domain/" + string(rune('a'+w)) + string(rune('a'+i)) + ".yml"
				if _, err := store.Update(context.Background(), func(string) ([]gitstore.Write, gitstore.Meta, error) {
					return writes(map[string]string{path: path}), signed, nil
				}); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range writers {
		mustDo(t, <-errs)
	}
	store := open(t, dir)
	list := signatures(t, store, must(store.Tip(t.Context())))
	if len(list) != writers*each {
		t.Errorf("%d commits", len(list))
	}
	for _, s := range list {
		if !s.Good() {
			t.Errorf("%+v", s)
		}
	}
}

// TestCannotSign: nothing is on the branch afterwards, and nobody waits long.
func TestCannotSign(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(t *testing.T, dir string)
		says string
	}{
		"no key": {func(t *testing.T, dir string) {
			needsTool(t, "ssh-keygen")
			gitIn(t, dir, "config", "gpg.format", "ssh")
		}, "signingkey"},
		"a key that is gone": {func(t *testing.T, dir string) {
			mustDo(t, os.Remove(signWithSSH(t, dir, "")))
		}, ""},
		"a passphrase": {func(t *testing.T, dir string) { signWithSSH(t, dir, "secret words") }, "passphrase"},
		"no such program": {func(t *testing.T, dir string) {
			gitIn(t, dir, "config", "gpg.program", "/no/such/program")
		}, "/no/such/program"},
		"a program that waits": {func(t *testing.T, dir string) {
			if runtime.GOOS == "windows" {
				t.Skip("needs a shell")
			}
			program := filepath.Join(t.TempDir(), "waits") // longer than any test may take
			mustDo(t, os.WriteFile(program, []byte("#!/bin/sh\nsleep 6000\n"), 0o755))
			gitIn(t, dir, "config", "gpg.program", program)
		}, "within 3s"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			store, err := gitstore.Open(t.Context(), dir, &gitstore.Options{SigningTime: 3 * time.Second})
			mustDo(t, err)
			defer store.Close()
			tip := commitText(t, store, "", "1", gitstore.Meta{Message: "unsigned\n"})
			c.set(t, dir)
			_, err = store.Apply(t.Context(), tip, writes(map[string]string{"domain/x.yml": "2"}), signed)
			if !errors.Is(err, gitstore.ErrSigning) || !strings.Contains(strings.ToLower(err.Error()), c.says) {
				t.Errorf("got %v", err)
			}
			t.Log(err)
			if now := must(store.Tip(t.Context())); now != tip {
				t.Errorf("the branch moved to %s", now)
			}
			fsck(t, dir)
		})
	}
}

// TestAnonymous: nothing of the user is in the commit, and git need not know
// who that is.
func TestAnonymous(t *testing.T) {
	for _, known := range []bool{true, false} {
		dir := newRepo(t)
		if !known {
			gitIn(t, dir, "config", "--unset", "user.name")
			gitIn(t, dir, "config", "--unset", "user.email")
			gitIn(t, dir, "config", "user.useConfigOnly", "true")
		}
		zone := time.FixedZone("", 2*60*60)
		now := func() time.Time { return time.Date(2026, 5, 1, 14, 0, 0, 0, zone) }
		store, err := gitstore.Open(t.Context(), dir, &gitstore.Options{Now: now})
		mustDo(t, err)
		defer store.Close()
		revision := commitText(t, store, "", "1", gitstore.Meta{Message: "x\n", Anonymous: true})
		commit := gitIn(t, dir, "cat-file", "commit", revision)
		const who = "anonymous <anonymous@engram.invalid> 1777636800 +0000"
		if !strings.Contains(commit, "\nauthor "+who+"\ncommitter "+who+"\n") {
			t.Errorf("commit:\n%s", commit)
		}
		if !known {
			_, err := store.Apply(t.Context(), revision, writes(map[string]string{"a.yml": "2"}), gitstore.Meta{Message: "x\n"})
			if !errors.Is(err, gitstore.ErrNoIdentity) {
				t.Errorf("got %v", err)
			}
			continue
		}
		signWithSSH(t, dir, "")
		revision = commitText(t, store, revision, "2", gitstore.Meta{Message: "x\n", Anonymous: true, Sign: true})
		if commit := gitIn(t, dir, "cat-file", "commit", revision); !strings.Contains(commit, "\ncommitter "+who+"\ngpgsig") {
			t.Errorf("commit:\n%s", commit)
		}
	}
}

// TestUserSigns: commit.gpgSign signs what nobody else wants signed, but no session and
// nothing anonymous.
func TestUserSigns(t *testing.T) {
	dir := newRepo(t)
	key := signWithSSH(t, dir, "")
	gitIn(t, dir, "config", "commit.gpgSign", "true")
	store := open(t, dir)
	plain := gitstore.Meta{Message: "x\n"}
	first := commitText(t, store, "", "1", plain)
	if s := signatures(t, store, first)[0]; !s.Good() {
		t.Errorf("%+v", s)
	}
	hidden := commitText(t, store, first, "2", gitstore.Meta{Message: "x\n", Anonymous: true})
	blobs, err := store.PutBlobs(t.Context(), [][]byte{[]byte("event")})
	mustDo(t, err)
	session, err := store.Extend(t.Context(), gitstore.ThreadPrefix+"ab/one", func(string) ([]gitstore.ThreadEntry, gitstore.Meta, error) {
		return []gitstore.ThreadEntry{{Path: "a", Object: blobs[0]}}, plain, nil
	})
	mustDo(t, err)
	for _, revision := range []string{hidden, session} {
		if text := gitIn(t, dir, "cat-file", "commit", revision); strings.Contains(text, "gpgsig") {
			t.Errorf("signed:\n%s", text)
		}
	}
	mustDo(t, os.Remove(key))
	if _, err := store.Apply(t.Context(), hidden, writes(map[string]string{"domain/x.yml": "3"}), plain); !errors.Is(err, gitstore.ErrOwnSigning) || !errors.Is(err, gitstore.ErrSigning) {
		t.Errorf("without the key: %v", err)
	}
}
