package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	capitals     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	hexadecimal  = "0123456789abcdef"
	digits       = "0123456789"
)

// forms are tokens of services, in parts: a text, or a number of characters out of an
// alphabet. They are made at random, so none of them was ever valid.
var forms = []struct {
	name, sentence string
	parts          []part
}{
	{"GitHub token", "CI pushes with %s.", []part{{text: "ghp_"}, {n: 36, of: alphanumeric}}},
	{"AWS access key", "The bucket takes the key id %s.", []part{{text: "AKIA"}, {n: 16, of: capitals}}},
	{"Slack bot token", "The bot signs in with %s.", []part{{text: "xoxb-"}, {n: 12, of: digits}, {text: "-"}, {n: 12, of: digits}, {text: "-"}, {n: 24, of: alphanumeric}}},
	{"GitLab token", "The runner uses %s.", []part{{text: "glpat-"}, {n: 20, of: alphanumeric}}},
	{"Stripe key", "Payments use %s.", []part{{text: "sk_live_"}, {n: 24, of: alphanumeric}}},
	{"npm token", "Publish with %s.", []part{{text: "npm_"}, {n: 36, of: alphanumeric}}},
	{"Google key", "Maps are loaded with %s.", []part{{text: "AIza"}, {n: 35, of: alphanumeric}}},
	{"password in an address", "The queue is at amqp://app:%s@queue.example.com.", []part{{n: 16, of: alphanumeric}}},
	{"hexadecimal key", "The api_key = %s is for staging.", []part{{n: 40, of: hexadecimal}}},
	{"private key", "-----BEGIN RSA PRIVATE KEY----- %s -----END RSA PRIVATE KEY-----", []part{{n: 96, of: alphanumeric}}},
	{"webhook address", "Alerts go to https://hooks.slack.com/services/%s.", []part{{text: "T"}, {n: 8, of: capitals}, {text: "/B"}, {n: 8, of: capitals}, {text: "/"}, {n: 24, of: alphanumeric}}},
	{"JSON web token", "The gateway accepts eyJhbGciOiJIUzI1NiJ9.%s until May.", []part{{text: "eyJ"}, {n: 40, of: alphanumeric}, {text: "."}, {n: 43, of: alphanumeric}}},
}

type part struct {
	text string
	n    int
	of   string
}

func (p part) make(random *rand.Rand) string {
	b := []byte(p.text)
	for range p.n {
		b = append(b, p.of[random.IntN(len(p.of))])
	}
	return string(b)
}

// secrets offers tokens to be written, every third split by an invisible character, and
// then looks for them in every file and git object that the tool keeps.
func secrets(ctx context.Context, r *run) error {
	clones, err := r.tool.Setup(ctx, r.dir, 1)
	if err != nil {
		return err
	}
	offered := make(map[string]string) // forms by token
	for n := range r.opts.Secrets {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.opts.Progress("secrets", n, r.opts.Secrets)
		form := forms[n%len(forms)]
		var token string
		for _, p := range form.parts {
			token += p.make(r.random)
		}
		name, written := form.name, token
		if (n+n/len(forms))%3 == 2 {
			half := len(token) / 2
			name, written = name+", split by U+200B", token[:half]+"\u200b"+token[half:]
		}
		offered[token] = name
		if written != token {
			offered[written] = name
		}
		r.Tried++
		err := r.tool.Commit(ctx, clones[0], Fact{Key: fmt.Sprintf("domain/ops/f%d", n), Text: fmt.Sprintf(form.sentence, written)})
		switch {
		case err == nil:
			r.Acknowledged++
		case errors.Is(err, ErrRefused):
			r.Refused++
		default:
			r.Failed++
			r.note("commit: %v", err)
		}
	}
	return r.search(ctx, offered)
}

// search looks for tokens below the folder. One that is found in two forms counts once.
func (r *run) search(ctx context.Context, offered map[string]string) error {
	found := make(map[string]bool)
	look := func(data []byte, where string) {
		for token, name := range offered {
			plain := strings.ReplaceAll(token, "\u200b", "")
			if !found[plain] && bytes.Contains(data, []byte(token)) {
				found[plain] = true
				r.Bad++
				r.note("%s in %s", name, where)
			}
		}
	}
	return filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "objects")); err != nil {
				return nil
			}
			objects := exec.CommandContext(ctx, "git", "--git-dir", path, "cat-file", "--batch-all-objects", "--batch")
			data, err := objects.Output()
			look(data, "objects of git")
			return err
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		look(data, filepath.Base(path))
		return err
	})
}
