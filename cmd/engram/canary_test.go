package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

const canary = "canary7411"

// cage is a memory in which the agent mole may not read the scope vault. Every text of
// the facts there has a canary: claims, details, evidence, keys, reasons, and the
// messages of commits.
type cage struct {
	t        *testing.T
	repo     string
	key, id  string // of a hidden fact
	conflict string // between two hidden facts
	mixed    string // between a hidden and a visible fact
	asPerson bool   // somebody asks who may read everything, so that the walk can fail
	seen     int    // answers that showed the canary to that person
	old      string // the revision before the hidden facts changed
}

// person runs a command for somebody who may read everything.
func (c *cage) person(args ...string) result {
	c.t.Helper()
	r := runHere("", append([]string{"--repo", c.repo}, args...)...)
	if r.status != 0 {
		c.t.Fatalf("%v: %s", args, r.stderr)
	}
	return r
}

func newCage(t *testing.T) *cage {
	t.Helper()
	c := &cage{t: t, repo: testRepo(t)}
	if err := os.WriteFile(filepath.Join(c.repo, "vault.go"), []byte("package vault\n\nvar doors = 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "vault.go"}, {"commit", "-qm", "a vault"}} {
		c.git(args...)
	}
	c.person("init")
	state := func(claim, key, scope string, more ...string) {
		t.Helper()
		c.person(append([]string{"commit", claim, "--key", key, "--scope", scope, "--agent", "claude"}, more...)...)
	}
	state("The site is static.", "domain/site/static", "site", "--pointer", "vault.go#L3")
	state("The gateway listens on port 8443.", "domain/site/gateway", "site")
	c.key = "domain/vault/" + canary
	state("The vault "+canary+" listens on port 8443.", c.key, "vault/deep", "--pointer", "vault.go#L3", "--detail", "It was "+canary+".", "--ttl", "P2D")
	state("The vault "+canary+" has "+canary+" doors.", "domain/vault/doors", "vault", "--pointer", "vault.go#L3")
	state("The vault "+canary+" lies deep.", "domain/vault/long/"+canary, "vault")
	c.old = strings.TrimSpace(c.git("rev-parse", "engram"))
	state("The vault "+canary+" listens on port 9443.", "domain/vault/port-"+canary, "vault", "--evidence", "seen by "+canary)
	state("The gateway "+canary+" listens on port 9443.", "domain/vault/gateway-"+canary, "vault")
	state("The gateway of "+canary+" is a large one and it is far away from here, in which nobody believes since it was "+canary+".", "domain/vault/x-"+canary, "vault")
	c.person("commit", "The vault "+canary+" lies deeper.", "--key", "domain/vault/long/"+canary, "--scope", "vault", "--agent", "mole2")
	c.person("audit")
	for _, found := range conflictsOf(t, c.repo) {
		switch {
		case found.KeyA == c.key || found.KeyB == c.key:
			c.conflict = found.ConflictID
		default:
			c.mixed = found.ConflictID
		}
	}
	var got memory.FactResult
	if err := json.Unmarshal([]byte(c.person("--json", "get", c.key).stdout), &got); err != nil {
		t.Fatal(err)
	}
	c.id = got.Fact.FactID
	state("The vault "+canary+" listens on port 7443.", "domain/vault/unaudited-"+canary, "vault")
	text := "format: 1\npermissions:\n  - {agent: mole, scope: vault, read: false}\nreview:\n  namespaces: [domain]\n  authors: [ada@example.com]\n"
	if r := runHere(text, "--repo", c.repo, "policy", "set", "--file", "-"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	state("The vault "+canary+" has two windows.", "domain/vault/windows-"+canary, "vault") // proposed
	c.damage()
	return c
}

// damage writes a fact by hand that is not canonical, and one that does not parse.
func (c *cage) damage() {
	c.t.Helper()
	tree := c.t.TempDir()
	c.git("worktree", "add", "-q", tree, "engram")
	path := filepath.Join(tree, c.key+".yml")
	data, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatal(err)
	}
	other := strings.Replace(string(data), "id: ", "# "+canary+"\nid: ", 1)
	for name, text := range map[string]string{path: other, filepath.Join(tree, "domain/vault/broken-"+canary+".yml"): "id: [" + canary + "\nscope: vault\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			c.t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"-C", tree, "add", "-A"}, {"-C", tree, "commit", "-qm", "by hand: " + canary, "--no-verify"}, {"worktree", "remove", "--force", tree}} {
		c.git(args...)
	}
}

func (c *cage) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.repo
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// holds fails if an answer to the mole has the canary, besides what the question said, and
// counts those to a person that do.
func (c *cage) holds(where, answer string, asked ...string) {
	c.t.Helper()
	for _, text := range asked {
		if !strings.Contains(text, canary) {
			continue
		}
		for _, form := range []string{text, fmt.Sprintf("%q", text)} {
			answer = strings.ReplaceAll(answer, form, "")
		}
	}
	i := strings.Index(answer, canary)
	switch {
	case i < 0:
	case c.asPerson:
		c.seen++
	default:
		c.t.Errorf("%s shows the mole what it may not read: ...%s...", where, answer[max(0, i-200):min(len(answer), i+100)])
	}
}

// walk has the arguments with which every command is tried, by its name; a command that is
// not here fails the test. An empty list says that a command shows nothing of a memory.
func (c *cage) walk() map[string][][]string {
	key, sam := c.key, "sam:"+c.key+"@"+c.id
	return map[string][][]string{
		"get":                   {{key}, {key, "--json"}, {key, "--as-of", "2026-01-01"}, {"domain/vault/doors"}, {"domain/vault/port"}},
		"query":                 {{"vault", "listens"}, {"vault", "--json"}, {"vault", "--explain"}, {"vault", "--why-not", key}, {"gateway", "port", "--scope", "vault"}, {canary}},
		"list":                  {{}, {"--all"}, {"--json"}, {"vault"}, {"domain/vault"}, {"--tree"}, {"--scope", "vault"}},
		"log":                   {{}, {key}, {key, "--json"}, {"--limit", "50"}},
		"export":                {{}, {"--format", "yaml"}, {"--format", "jsonl"}, {"--format", "csv"}, {"--format", "md"}, {"--all"}, {"--history"}},
		"why":                   {{"vault.go"}, {"vault.go:3"}, {"vault.go", "--json"}},
		"deref":                 {{sam}, {"vault.go#L3"}, {key}},
		"browse":                {}, // a screen; it asks Query, Get, History and Conflicts as others do
		"dashboard":             {{"--export", filepath.Join(c.t.TempDir(), "copy")}},
		"pack":                  {{}, {"--json"}, {"--about", "vault"}},
		"recall":                {{"vault"}, {"vault", "--json"}, {canary}, {"vault", "--explain"}},
		"task":                  {{}},
		"invite list":           {{}},
		"invite revoke":         {},
		"session learnt accept": {},
		"session learnt reject": {},
		"task show":             {{}},
		"task history":          {{}},
		"task set":              {{"--task", "t", "--from", key}},
		"task schema":           {{}},
		"brief":                 {{}, {"--json"}, {"--about", "vault"}, {"--for", "coder"}, {"--files", "vault.go"}},
		"conflicts":             {{}, {"--json"}, {"--status", "all"}, {c.conflict}, {c.mixed}, {"--verbose"}},
		"resolve":               {{c.mixed, "--keep", "a", "--reason", "x"}, {c.conflict, "--keep", "a", "--reason", "x"}, {}},
		"judge":                 {{}, {"--json"}, {key, "domain/vault/doors", "--verdict", "unrelated", "--reason", "x"}},
		"audit":                 {{}, {"--json"}, {"--from", c.old}, {"--dry-run"}},
		"check":                 {{}, {"--json"}, {"--format", "sarif"}, {"--format", "junit"}, {"--from", c.old}, {"--from", c.old, "--format", "sarif"}, {"--fail-on", "low"}},
		"detect":                {{"The vault listens on port 7443."}, {"The gateway listens on port 7443.", "--json"}},
		"policy":                {{}, {"--json"}},
		"policy edit":           {},
		"policy set":            {{"--file", os.DevNull}},
		"review":                {{}, {"--json"}},
		"review accept":         {{"domain/vault/windows-" + canary}, {"--all"}},
		"review reject":         {{"domain/vault/windows-" + canary, "--reason", "x"}},
		"doctor":                {{}, {"--json"}, {"--deep"}, {"--full"}},
		"lint":                  {{}, {"--json"}, {key}},
		"status":                {{}, {"--json"}},
		"verify":                {{}, {"--json"}, {key}, {"--all"}, {"--scope", "vault"}},
		"purge":                 {{key, "--dry-run"}, {key}},
		"undo":                  {{}, {key}, {c.conflict}, {"--dry-run"}, {"--json", "--dry-run"}},
		"retire":                {{key, "--reason", "x"}},
		"promote":               {{key}},
		"commit":                {{"The vault is shut.", "--key", key}, {"The vault " + "listens on port 8443.", "--json"}, {"The vault listens on port 8443.", "--scope", "vault"}, {"The gateway listens on port 9443.", "--scope", "site"}},
		"import":                {{filepath.Join(c.repo, "vault.go")}},
		"publish":               {{key, "--to", "nowhere"}, {"--all", "--to", "nowhere"}},
		"source":                {{}},
		"source add":            {},
		"source fetch":          {{}},
		"source list":           {{}},
		"source rm":             {{"nowhere"}},
		"sync":                  {{}, {"--json"}},
		"hooks":                 {{}},
		"hooks install":         {},
		"hooks uninstall":       {},
		"hooks status":          {{}},
		"hooks run":             {{"pre-commit"}, {"post-merge", "0"}, {"post-commit"}, {"post-checkout", "a", "b", "1"}, {"post-rewrite", "rebase"}},
		"hook":                  {{"claude", "SessionStart"}, {"claude", "UserPromptSubmit"}, {"claude", "PreCompact"}, {"claude", "Stop"}},
		"merge-file":            {},
		"mcp":                   {}, // TestCanaryOverMCP
		"serve":                 {}, // TestCanaryOverHTTP
		"setup":                 {},
		"init":                  {{}},
		"invite":                {{}, {"list"}},
		"join":                  {},
		"demo":                  {},
		"model":                 {},
		"model list":            {},
		"model pull":            {},
		"model rm":              {},
		"model use":             {},
		"model verify":          {},
		"watch":                 {{"--once"}},
		"version":               {{}},
		"completion":            {},
		"help":                  {},
		"session":               {{}},
		"session consolidate":   {{}},
		"session export":        {{"x"}},
		"session fetch":         {},
		"session forget":        {},
		"session import":        {},
		"session learnt":        {{}},
		"session list":          {{}, {"vault"}},
		"session log":           {{"vault.go"}},
		"session prune":         {},
		"session redact":        {},
		"session resume":        {},
		"session seal":          {},
		"session share":         {},
		"session show":          {{"x"}},
		"session views":         {{}},
		"bus":                   {{}},
		"bus findings":          {{key}},
		"bus grant":             {{sam, "--child", "mole"}},
		"bus grants":            {{}, {"--json"}},
		"bus log":               {{}, {"--json"}},
		"bus metrics":           {{}},
		"bus result":            {{key, "--result", "x"}},
		"bus revoke":            {},
		"bus schema":            {},
		"bus skill":             {},
		"bus submit":            {},
		"bus task":              {{"flow", "one", "Look at the vault.", "--constraint", key}},
		"bus turn":              {{}},
		"bus validate":          {},
		"__complete":            {{"get", ""}, {"get", "domain/va"}, {"log", ""}, {"retire", ""}, {"resolve", ""}, {"conflicts", ""}, {"verify", ""}, {"undo", ""}, {"review", "accept", ""}},
	}
}

// TestCanaryInEveryCommand: no command shows an agent a fact that it may not read, on no
// stream and in no format. A person sees the canary in many of them, so the walk can fail.
func TestCanaryInEveryCommand(t *testing.T) {
	c := newCage(t)
	walk := c.walk()
	root, _ := newRootCmd(&app.App{Out: term.SystemStreams(nil), Getenv: os.Getenv})
	var commands func(cmd *cobra.Command)
	commands = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			commands(sub)
			name := strings.TrimPrefix(sub.CommandPath(), "engram ")
			if sub.IsAdditionalHelpTopicCommand() || !sub.Runnable() && sub.HasSubCommands() {
				continue
			}
			if _, there := walk[name]; !there {
				t.Errorf("no arguments say how engram %s is tried", name)
			}
		}
	}
	commands(root)
	var names []string
	for name := range walk {
		names = append(names, name)
	}
	writes := []string{"audit", "commit", "import", "init", "judge", "promote", "resolve", "retire", "review accept", "review reject", "sync", "task set", "undo"}
	slices.SortFunc(names, func(a, b string) int { // what writes comes last
		return cmp.Or(slices.Index(writes, a)-slices.Index(writes, b), strings.Compare(a, b))
	})
	for _, name := range names {
		for _, args := range walk[name] {
			line := append(append([]string{"--repo", c.repo}, strings.Fields(name)...), args...)
			for _, agent := range []string{"mole", ""} {
				if c.asPerson = agent == ""; c.asPerson && slices.Contains(writes, name) {
					continue
				}
				r := runWith(map[string]string{"ENGRAM_AGENT": agent}, "{}", line...)
				c.holds("engram "+strings.Join(line[2:], " "), r.stdout+r.stderr, args...)
			}
		}
	}
	if c.seen < 40 {
		t.Errorf("a person saw the canary in %d answers alone", c.seen)
	}
}

// TestCanaryOverMCP calls every tool of every profile for the mole.
func TestCanaryOverMCP(t *testing.T) {
	c := newCage(t)
	for _, agent := range []string{"mole", ""} {
		c.asPerson = agent == ""
		c.callEveryTool(agent)
	}
	if c.seen < 15 {
		t.Errorf("a person saw the canary in %d answers alone", c.seen)
	}
}

func (c *cage) callEveryTool(agent string) {
	t := c.t
	cmd := exec.Command("engram", "mcp", "--profile", "team,compat,bus")
	cmd.Dir, cmd.Env = c.repo, append(os.Environ(), "ENGRAM_AGENT="+agent)
	session, err := sdk.NewClient(&sdk.Implementation{Name: cmp.Or(agent, "somebody"), Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	c.holds("the instructions", session.InitializeResult().Instructions)
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range c.toolArguments(tool) {
			r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name, Arguments: args})
			if err != nil {
				c.holds(tool.Name, err.Error(), c.asked()...)
				continue
			}
			answer, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			c.holds(fmt.Sprint(tool.Name, args), string(answer), c.asked()...)
		}
	}
	for resource, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			break
		}
		text, _ := json.Marshal(resource)
		c.holds("a resource", string(text))
		if r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: resource.URI}); err == nil {
			text, _ := json.Marshal(r)
			c.holds(resource.URI, string(text))
		}
	}
}

// asked are the texts that the walk itself sends.
func (c *cage) asked() []string {
	return []string{"sam:" + c.key + "@" + c.id, c.key, c.conflict, "listens " + canary}
}

// toolArguments makes arguments for a tool from its schema: every text field is filled in
// turn with what points to hidden facts.
func (c *cage) toolArguments(tool *sdk.Tool) (list []map[string]any) {
	text, err := json.Marshal(tool.InputSchema)
	if err != nil {
		c.t.Fatal(err)
	}
	var schema struct {
		Properties map[string]struct {
			Type any
			Enum []any
		}
		Required []string
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		c.t.Fatal(err)
	}
	for _, value := range append(c.asked(), "vault", "domain/vault", "vault.go", c.mixed, "") {
		args := map[string]any{}
		for name, p := range schema.Properties {
			kind := fmt.Sprint(p.Type)
			required := slices.Contains(schema.Required, name)
			switch {
			case len(p.Enum) > 0:
				if required {
					args[name] = p.Enum[0]
				}
			case strings.Contains(kind, "array"):
				if required || value != "" {
					args[name] = []any{value}
				}
			case strings.Contains(kind, "string"):
				if required || value != "" && slices.Contains([]string{"key", "id", "query", "topic", "pointer", "ref", "path", "file", "about", "engram_id", "conflict_id", "text", "prefix"}, name) {
					args[name] = value
				}
			case strings.Contains(kind, "integer") && required:
				args[name] = 5
			}
		}
		list = append(list, args)
	}
	return list
}

// TestCanaryOverHTTP asks every endpoint of openapi.json with the mole's token.
func TestCanaryOverHTTP(t *testing.T) {
	c := newCage(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("mole a-token-for-the-mole-only\na-token-for-people\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serveProcess(t, c.repo, "--token-file", tokens, "--profile", "team,compat,bus")
	base := strings.TrimSuffix(s.URL, "/mcp")
	client := &http.Client{Transport: bearer("a-token-for-the-mole-only")}
	people := &http.Client{Transport: bearer("a-token-for-people")}
	ask := func(method, path, body string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		who := client
		if c.asPerson {
			who = people
		}
		answer, err := who.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var api struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
	}
	text := ask("GET", "/openapi.json", "")
	if err := json.Unmarshal([]byte(text), &api); err != nil {
		t.Fatal(err, text)
	}
	sam := "sam:" + c.key + "@" + c.id
	// What an endpoint takes beside what every one is asked for.
	pointer := `{"type":"sam","ref":"` + sam + `"}`
	bodies := map[string][]string{
		"/pointer/deref":             {`{"pointer":` + pointer + `}`},
		"/recall":                    {`{"queries":["vault"]}`},
		"/context/pack":              {`{"session_id":"s","user":"Look at the vault."}`},
		"/judge":                     {`{"verdicts":[{"a":"` + c.key + `","b":"domain/vault/doors","verdict":"compatible","reason":"x"}]}`},
		"/grant":                     {`{"pointer":` + pointer + `,"child":"mole"}`},
		"/hooks/on_sam_read":         {`{"question":"vault","k":5}`},
		"/hooks/on_parent_broadcast": {`{"child":"mole","role":"programmer","goal":"Look at the vault.","files":["vault.go"]}`},
		"/delegation":                {`{"flow":"f","id":"1","child":"mole","task":"Look at the vault.","pointers":["` + sam + `"]}`},
		"/delegation/result":         {`{"key":"` + c.key + `","result":"x"}`},
	}
	for path := range bodies {
		if _, there := api.Paths[path]; !there {
			t.Errorf("there is no %s", path)
		}
	}
	for path, methods := range api.Paths {
		for method, operation := range methods {
			query := "?"
			for _, p := range operation.Parameters {
				if p.In == "query" {
					query += p.Name + "=%[1]s&"
				}
			}
			for _, value := range []string{c.id, c.key, c.conflict, "vault", "1"} {
				address := path
				for _, name := range []string{"id", "task", "name"} {
					address = strings.ReplaceAll(address, "{"+name+"}", url.PathEscape(value))
				}
				if strings.Contains(query, "%[1]s") {
					address += fmt.Sprintf(query, url.QueryEscape(value))
				}
				body := ""
				if method == "post" {
					body = fmt.Sprintf(`{"id":%[1]q,"key":%[1]q,"query":%[1]q,"text":%[1]q,"agent_id":"mole"}`, value)
				}
				for _, c.asPerson = range []bool{false, true} {
					if c.asPerson && method != "get" {
						continue
					}
					c.holds(method+" "+address, ask(strings.ToUpper(method), address, body), append(c.asked(), url.PathEscape(c.key), url.QueryEscape(c.key))...)
				}
			}
			for _, body := range bodies[path] {
				for _, c.asPerson = range []bool{false, true} {
					c.holds(method+" "+path+" "+body, ask(strings.ToUpper(method), path, body), append(c.asked(), sam)...)
				}
			}
		}
	}
	if c.seen < 5 {
		t.Errorf("a person saw the canary in %d answers alone", c.seen)
	}
}

// TestCanaryInHooks: the hooks of git and of clients say nothing of hidden facts, even if
// these are what arrives or clashes with what is staged.
func TestCanaryInHooks(t *testing.T) {
	c := newCage(t)
	t.Setenv("ENGRAM_AGENT", "mole")
	tree := t.TempDir()
	c.git("worktree", "add", "-q", tree, "engram")
	path := filepath.Join(tree, "domain", "site", "gateway.yml")
	fact, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(fact), "port 8443", "port 7443")
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	c.git("-C", tree, "add", "-A")
	for _, hook := range [][]string{{"pre-commit"}, {"post-commit"}, {"post-merge", "0"}, {"post-checkout", "a", "b", "1"}} {
		for _, dir := range []string{tree, c.repo} {
			cmd := exec.Command("engram", append([]string{"hooks", "run"}, hook...)...)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput()
			c.holds(strings.Join(hook, " ")+" in "+dir, string(out))
		}
	}
	t.Setenv("ENGRAM_AGENT", "")
	cmd := exec.Command("engram", "hooks", "run", "pre-commit")
	cmd.Dir = tree
	out, _ := cmd.CombinedOutput()
	c.asPerson = true
	c.holds("", string(out))
	if c.seen == 0 {
		t.Errorf("a person does not see the canary: %s", out)
	}
}
