package web_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/internal/gittest"
	"engram/memory"
	"engram/skills/less"
	"engram/web"
)

// TestMain shuts out the configuration of whoever runs the tests.
func TestMain(m *testing.M) {
	remove := gittest.Isolate()
	code := m.Run()
	remove()
	os.Exit(code)
}

type object = map[string]any

// tokensOf are those of the agents in the tests; planner is a parent.
var tokensOf = map[string]string{
	"planner": "a-token-of-the-planner", "child": "a-token-of-the-child", "other": "a-token-of-another", "": "a-token-of-nobody-else",
}

type noSecrets struct{}

func (noSecrets) Redact(text string) (string, []string) {
	return strings.ReplaceAll(text, "S3CRET", "[redacted: marker]"), nil
}

func (noSecrets) Scan(text string) (string, bool) { return "marker", strings.Contains(text, "S3CRET") }

// gateway is a running server over a repository with a memory and some code.
type gateway struct {
	*running
	dir    string
	commit string // of the code
	memory *memory.Memory
}

// newGateway serves a memory; without tokens, agents say themselves who they are.
func newGateway(t *testing.T, tokens bool) *gateway {
	t.Helper()
	g := &gateway{dir: newRepo(t, map[string]string{
		"internal/auth.go": "package auth\n\n// sessionTTL is how long a session lives, in minutes.\nconst sessionTTL = 30\n\n// Refresh extends a session.\nfunc Refresh() {}\n",
		"docs/spec.md":     "# Spec\n\n## Rules\n\nA session ends when its password changes.\n",
	})}
	g.commit = runGit(t, g.dir, "rev-parse", "HEAD")
	g.memory = openMemory(t, g.dir)
	if _, err := g.memory.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	opts := web.Options{Routes: web.API(g.lend, &web.APIOptions{Schemas: less.SchemaFiles()})}
	if tokens {
		for agent, token := range tokensOf {
			opts.Tokens = append(opts.Tokens, web.Token{Agent: agent, Secret: token})
		}
	}
	g.running = start(t, opts)
	return g
}

func (g *gateway) lend(context.Context) (web.Lent, func(error), error) {
	return web.Lent{Memory: g.memory}, func(error) {}, nil
}

func openMemory(t testing.TB, dir string) *memory.Memory {
	t.Helper()
	m, err := memory.Open(context.Background(), dir, noSecrets{}, &memory.Options{Bus: memory.BusOptions{Parents: []string{"planner"}}, EvidenceTime: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func newRepo(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := gittest.New(t)
	if len(files) == 0 {
		return dir
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	runGit(t, dir, "add", ".")
	runGit(t, dir, "commit", "-q", "-m", "code")
	return dir
}

func runGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// ref is a pointer to lines of the code, at its commit.
func (g *gateway) ref(place string) object {
	return object{"type": "repo", "ref": "repo:" + place + "@" + g.commit}
}

func (g *gateway) engram(claim string) object {
	return object{"kind": "risk", "claim": claim, "pointers": []any{g.ref("internal/auth.go#L3-L4")}, "confidence": 0.8, "ttl": "P7D", "scope": "project"}
}

// as sends a request of an agent, with a body as JSON where there is one.
func (g *gateway) as(t *testing.T, agent, method, path string, body any, headers ...string) answer {
	t.Helper()
	headers = append(headers, "Authorization", "Bearer "+tokensOf[agent])
	text, isText := body.(string)
	if body != nil && !isText {
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		text, headers = string(b), append(headers, "Content-Type", "application/json")
	}
	return do(t, method, g.url(path), text, headers...)
}

// got is a request whose answer has to have a status; it is the answer's object.
func (g *gateway) got(t *testing.T, status int, agent, method, path string, body any, headers ...string) object {
	t.Helper()
	a := g.as(t, agent, method, path, body, headers...)
	var o object
	if err := json.Unmarshal([]byte(a.body), &o); err != nil || a.status != status {
		t.Fatalf("%s %s as %q: %d, want %d: %s", method, path, agent, a.status, status, a.body)
	}
	return o
}

// at is the value at a path such as engrams.0.id.
func at(t *testing.T, o any, path string) any {
	t.Helper()
	for name := range strings.SplitSeq(path, ".") {
		switch v := o.(type) {
		case object:
			o = v[name]
		case []any:
			i := int(name[0] - '0')
			if i >= len(v) {
				return nil
			}
			o = v[i]
		default:
			return nil
		}
	}
	return o
}

// methodsOf are the patterns of the API, as method and path.
func methodsOf() [][2]string {
	var list [][2]string
	for pattern := range web.API(nil, nil) {
		method, path, _ := strings.Cut(pattern, " ")
		list = append(list, [2]string{method, strings.ReplaceAll(path, "...}", "}")})
	}
	return list
}
