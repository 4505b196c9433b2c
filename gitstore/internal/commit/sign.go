package commit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// signingTime is the default timeout of git and the program that signs, including
// the time to enter a passphrase. Other writers wait meanwhile.
const signingTime = 30 * time.Second

// anonymous is who an anonymous commit is by. The domain cannot be
// registered (RFC 2606).
var anonymous = object.Person{Name: "anonymous", Email: "anonymous@engram.invalid"}

// authors are who a commit is by.
func (w *Writer) authors(ctx context.Context, meta Meta) (identity, error) {
	if meta.Anonymous {
		return identity{author: anonymous, committer: anonymous}, nil
	}
	return w.who.get(ctx, w.repo.GitDir)
}

// dates are the dates of a commit, as seconds and zone. An anonymous commit has no
// time zone, which would hint at a place.
func (w *Writer) dates(who identity, meta Meta) (authored, committed string) {
	now := w.now()
	if meta.Anonymous {
		now = now.UTC()
	}
	date := fmt.Sprintf("%d %s", max(now.Unix(), 0), now.Format("-0700"))
	return cmp.Or(who.authorDate, date), cmp.Or(who.committerDate, date)
}

// CommitTree makes the objects and a commit of tree durable, and names it. The
// error wraps ErrSigning or ErrNoIdentity.
func (w *Writer) CommitTree(ctx context.Context, objects *object.Batch, tree string, parents []string, meta Meta) (string, error) {
	who, err := w.authors(ctx, meta)
	if err != nil {
		return "", err
	}
	return w.guardedCommit(ctx, objects, who, tree, parents, meta)
}

func (w *Writer) writeCommit(ctx context.Context, objects *object.Batch, who identity, tree string, parents []string, meta Meta) (string, error) {
	if !meta.Sign && (!who.sign || meta.Unsigned) {
		commit := w.encodeCommit(objects, who, tree, parents, meta)
		return commit.String(), w.repo.Objects.Write(ctx, objects.List)
	}
	if err := w.repo.Objects.Write(ctx, objects.List); err != nil {
		return "", err
	}
	commit, err := w.signedCommit(ctx, who, tree, parents, meta)
	return commit.String(), err
}

// signedCommit lets git make a commit and sign it, the way that it is configured
// (gpg.format, user.signingkey). The tree has to be written already. What git
// wrote is made durable here. The error wraps ErrSigning if git could not
// sign.
func (w *Writer) signedCommit(ctx context.Context, who identity, tree string, parents []string, meta Meta) (object.Hash, error) {
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S", tree}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	signing, cancel := context.WithTimeout(ctx, w.signing)
	defer cancel()
	cmd := gitcmd.Command(signing, w.repo.GitDir, args...)
	cmd.Env = append(withoutTerminal(cmd.Env), w.commitEnvironment(who, meta)...)
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(meta.Message, "\x00", ""))
	gitcmd.Detach(cmd)                                         // it must not prompt on the terminal
	cmd.Cancel = func() error { return gitcmd.KillGroup(cmd) } // and what git started
	out, err := gitcmd.Output(signing, cmd, args)
	if err != nil {
		return "", w.signingError(ctx, signing, err, meta)
	}
	name := strings.TrimSpace(out)
	if _, err := object.ParseHash(name); err != nil {
		return "", fmt.Errorf("git commit-tree answered %q", out)
	}
	obj, err := w.repo.Cat.Get(ctx, name, object.MaxCommit)
	if err != nil {
		return "", fmt.Errorf("read the signed commit: %w", err)
	}
	header, _, _ := bytes.Cut(obj.Data, []byte("\n\n"))
	if !bytes.Contains(header, []byte("\ngpgsig ")) && !bytes.Contains(header, []byte("\ngpgsig-sha256 ")) {
		return "", fmt.Errorf("%w: git created it without a signature", ErrSigning)
	}
	signed := w.repo.Objects.Batch()
	commit := signed.Put(obj.Kind, obj.Data)
	return commit, w.repo.Objects.Write(ctx, signed.List)
}

// commitEnvironment says in git's variables who a commit is by, and when.
func (w *Writer) commitEnvironment(who identity, meta Meta) []string {
	authored, committed := w.dates(who, meta)
	return []string{
		"GIT_AUTHOR_NAME=" + who.author.Name, "GIT_AUTHOR_EMAIL=" + who.author.Email, "GIT_AUTHOR_DATE=@" + authored,
		"GIT_COMMITTER_NAME=" + who.committer.Name, "GIT_COMMITTER_EMAIL=" + who.committer.Email, "GIT_COMMITTER_DATE=@" + committed,
	}
}

// withoutTerminal keeps gpg from asking on the terminal. A window of an agent,
// on a desktop, may still ask.
func withoutTerminal(env []string) []string {
	return slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "GPG_TTY=") })
}

func (w *Writer) signingError(ctx, signing context.Context, err error, meta Meta) error {
	var said *gitcmd.Error
	kind := ErrSigning
	if !meta.Sign {
		kind = ErrOwnSigning
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case signing.Err() != nil:
		return fmt.Errorf("%w: no answer within %s; the key may need a passphrase", kind, w.signing)
	case errors.As(err, &said):
		return fmt.Errorf("%w: %s", kind, signingReason(said.Stderr))
	}
	return err
}

// signingReason is what git or the program that signs said of why it did not:
// the last line before git's own, which only says that it failed.
func signingReason(stderr string) string {
	var lines []string
	for line := range strings.SplitSeq(stderr, "\n") {
		line = strings.TrimRight(strings.TrimSpace(line), "?")
		line = strings.TrimPrefix(strings.TrimPrefix(line, "error: "), "fatal: ")
		if line != "" && !strings.HasPrefix(line, "[GNUPG:]") && !strings.HasPrefix(line, "failed to write commit") &&
			!strings.HasPrefix(line, "gpg failed to sign") {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return "git gave no reason"
	}
	return lines[len(lines)-1]
}
