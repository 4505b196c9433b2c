package gitstore_test

import (
	"errors"
	"strings"
	"testing"

	"engram/gitstore"
)

// TestNoSourcesCostNoGit: whoever has none pays for reading one file.
func TestNoSourcesCostNoGit(t *testing.T) {
	store := open(t, newRepo(t))
	t.Setenv("PATH", t.TempDir())
	if list, err := store.Sources(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestSourcesComeFromOneFile: what else configures git says nothing of sources.
func TestSourcesComeFromOneFile(t *testing.T) {
	dir := newRepo(t)
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "engram-source.env.url")
	t.Setenv("GIT_CONFIG_VALUE_0", "/x")
	included := t.TempDir() + "/included"
	gitIn(t, dir, "config", "--file", included, "engram-source.included.url", "/x")
	gitIn(t, dir, "config", "include.path", included)
	gitIn(t, dir, "config", "Engram-Source.hand.URL", "/y")
	gitIn(t, dir, "config", "--add", "engram-source.hand.scope", "a/*")
	gitIn(t, dir, "config", "--add", "engram-source.hand.scope", "b")
	list, err := open(t, dir).Sources(t.Context())
	if err != nil || len(list) != 1 || list[0].Name != "hand" || list[0].URL != "/y" || strings.Join(list[0].Scopes, " ") != "a b" || list[0].Problem != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestViewsRefuseWrites(t *testing.T) {
	store := open(t, newRepo(t))
	tip := write(t, store, map[string]string{"a/b/c.yml": "x"})
	view := store.OnRef("refs/heads/engram", "ours", t.TempDir())
	if got, err := view.Tip(t.Context()); err != nil || got != tip {
		t.Errorf("tip %s, %v", got, err)
	}
	_, err := view.Apply(t.Context(), tip, writes(map[string]string{"a/b/d.yml": "y"}), gitstore.Meta{Message: "m"})
	if !errors.Is(err, gitstore.ErrReadOnly) {
		t.Errorf("apply: %v", err)
	}
	_, err = view.Update(t.Context(), func(string) ([]gitstore.Write, gitstore.Meta, error) {
		return writes(map[string]string{"a/b/d.yml": "y"}), gitstore.Meta{Message: "m"}, nil
	})
	if !errors.Is(err, gitstore.ErrReadOnly) {
		t.Errorf("update: %v", err)
	}
	if err := view.BeginAt(t.Context(), tip); !errors.Is(err, gitstore.ErrReadOnly) {
		t.Errorf("begin: %v", err)
	}
	if err := view.Close(); err != nil {
		t.Error(err)
	}
	if _, err := store.Tip(t.Context()); err != nil {
		t.Errorf("the store ended with its view: %v", err)
	}
}

func TestSourceAddressWithoutSecrets(t *testing.T) {
	for address, want := range map[string]string{
		"https://user:token@host/org/x.git": "https://host/org/x.git",
		"https://token@host/x":              "https://host/x",
		"https://host/x?private_token=abc":  "https://host/x",
		"https://a@b:c@host":                "https://host",
		"ssh://git@host/x":                  "ssh://git@host/x",
		"ssh://git:pw@host:22/x":            "ssh://git@host:22/x",
		"git@host:org/x.git":                "git@host:org/x.git",
		"/path/with@sign":                   "/path/with@sign",
		"file:///path":                      "file:///path",
	} {
		if got := gitstore.WithoutSecrets(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// FuzzSourceNames: names and patterns that pass are safe in a reference, a folder
// and a configuration file.
func FuzzSourceNames(f *testing.F) {
	for _, seed := range []string{"org", "shared/*", "a..b", "../x", "x.lock", "*", "a b", "con", "-x", "]\n[core", "https://u:p@h/x?y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if gitstore.CheckSourceName(text) == nil && (strings.ContainsAny(text, "/\\. \n\t\"[]:") || text == "" || text[0] == '-') {
			t.Errorf("%q passes for a name", text)
		}
		if scope, err := gitstore.SourceScope(text); err == nil {
			again, err := gitstore.SourceScope(scope + "/*")
			if scope != "" && (err != nil || again != scope) {
				t.Errorf("%q is %q, and that %q, %v", text, scope, again, err)
			}
		}
		if shown := gitstore.WithoutSecrets(text); strings.HasPrefix(text, "https://") {
			host, _, _ := strings.Cut(strings.TrimPrefix(shown, "https://"), "/")
			if strings.Contains(host, "@") {
				t.Errorf("%q is shown as %q", text, shown)
			}
		}
	})
}

func BenchmarkNoSources(b *testing.B) {
	store := open(b, newRepo(b))
	for b.Loop() {
		if _, err := store.Sources(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
