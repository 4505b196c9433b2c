package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
	"engram/skills/less"
	"engram/web"
)

// manifest is manifest.json of the skill pack.
type manifest struct {
	ManifestVersion int `json:"manifest_version"`
	Name, Version   string
	Title           string
	Description     string
	Start           map[string]map[string]json.RawMessage
	OpenAPI         string
	Configuration   struct {
		File, Parents, Turn string
		Limits              []string
	}
	Roles   map[string]map[string]json.RawMessage
	Budgets map[string]map[string]int
	Tools   []struct {
		Name, MCP, Description string
		HTTP                   *manifestRoute
		Roles                  []string
	}
	Hooks []struct {
		Name, Takes, Gives, Does string
		HTTP                     manifestRoute
	}
	Endpoints []manifestRoute
	Refusals  map[string]struct {
		HTTP int
		LESS *string `json:"less"`
	}
	Schemas []struct{ File, ID, Endpoint string }
	Tests   []string
}

type manifestRoute struct{ Method, Path string }

func (r manifestRoute) String() string { return r.Method + " " + r.Path }

// TestSkillManifest: what the manifest names is there, and what is there it names.
func TestSkillManifest(t *testing.T) {
	var m manifest
	readPack(t, "manifest.json", &m)
	if m.Name != "less" || m.ManifestVersion != 1 || m.Version == "" || m.Description == "" || m.OpenAPI != "/openapi.json" {
		t.Errorf("%+v", m)
	}
	checkManifestRoutes(t, m)
	checkManifestTools(t, m)
	checkManifestFiles(t, m)
	limits := memory.DefaultLimits()
	want := map[string]map[string]int{
		"inline": {"max_inline_tokens": limits.Inline.Tokens, "max_engrams": limits.Inline.Engrams, "max_engram_chars": limits.Inline.ClaimChars, "max_inline_code_chars": limits.Inline.CodeChars},
		"deref":  {"max_repo_spans": limits.Deref.RepoSpans, "max_artifact_sections": limits.Deref.ArtifactSections, "max_sam_items": limits.Deref.SAMItems, "max_deref_tokens": limits.Deref.Tokens},
		"brief":  {"max_lines": 30},
	}
	if diff := cmp.Diff(want, m.Budgets); diff != "" {
		t.Errorf("budgets: -memory +manifest:\n%s", diff)
	}
	keys := append(slices.Clone(m.Configuration.Limits), m.Configuration.Parents, m.Configuration.Turn)
	known := settingsOfTheBus(runHere("", "help", "configuration").stdout)
	slices.Sort(keys)
	slices.Sort(known)
	if diff := cmp.Diff(known, keys); diff != "" {
		t.Errorf("configuration: -known +manifest:\n%s", diff)
	}
}

func checkManifestRoutes(t *testing.T, m manifest) {
	t.Helper()
	named := []string{}
	for _, tool := range m.Tools {
		if tool.HTTP != nil {
			named = append(named, tool.HTTP.String())
		}
	}
	for _, hook := range m.Hooks {
		if hook.HTTP.Path != "/hooks/"+hook.Name {
			t.Errorf("hook %s is at %s", hook.Name, hook.HTTP.Path)
		}
		named = append(named, hook.HTTP.String())
	}
	for _, route := range m.Endpoints {
		named = append(named, route.String())
	}
	served := []string{"GET /healthz", "GET /readyz"}
	for pattern := range web.API(nil, nil) {
		served = append(served, strings.ReplaceAll(pattern, "...}", "}"))
	}
	slices.Sort(named)
	slices.Sort(served)
	if diff := cmp.Diff(served, named); diff != "" {
		t.Errorf("routes: -served +manifest:\n%s", diff)
	}
}

func checkManifestTools(t *testing.T, m manifest) {
	t.Helper()
	var named, served []string
	for _, tool := range m.Tools {
		if tool.MCP != strings.ReplaceAll(tool.Name, ".", "_") || tool.Description == "" || len(tool.Roles) == 0 {
			t.Errorf("%+v", tool)
		}
		named = append(named, tool.MCP)
	}
	repo := testRepo(t)
	s := serveProcess(t, repo, "--profile", "bus")
	c, err := mcpClient(t, s.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(tool.Name, "less_") {
			served = append(served, tool.Name)
		}
	}
	slices.Sort(named)
	slices.Sort(served)
	if diff := cmp.Diff(served, named); diff != "" {
		t.Errorf("tools: -served +manifest:\n%s", diff)
	}
}

func checkManifestFiles(t *testing.T, m manifest) {
	t.Helper()
	named := slices.Clone(m.Tests)
	for _, schema := range m.Schemas {
		named = append(named, schema.File)
		text, err := fs.ReadFile(less.FS, schema.File)
		if err != nil || !strings.Contains(string(text), `"$id": "`+schema.ID+`"`) || "/"+schema.File != schema.Endpoint {
			t.Errorf("%+v: %v", schema, err)
		}
	}
	there, err := fs.Glob(less.FS, "*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(named)
	if diff := cmp.Diff(there, named); diff != "" {
		t.Errorf("files: -there +manifest:\n%s", diff)
	}
	openapi, err := os.ReadFile("../../web/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, hook := range m.Hooks {
		for _, ref := range []string{hook.Takes, hook.Gives} {
			if name, found := strings.CutPrefix(ref, "#/components/schemas/"); !found || !strings.Contains(string(openapi), `"`+name+`": {`) {
				t.Errorf("hook %s: there is no %s", hook.Name, ref)
			}
		}
	}
}

// TestJSONFieldsOfTheSkill is TestJSONFields for the skill pack.
func TestJSONFieldsOfTheSkill(t *testing.T) {
	compareFields(t, testRepo(t), []jsonStep{
		{"bus skill", "", []string{"bus", "skill", filepath.Join(t.TempDir(), "less")}, 0, "schema_version dir files[].path files[].state"},
	})
}

// settingsOfTheBus finds the keys of settings in a help text.
func settingsOfTheBus(help string) (keys []string) {
	for _, match := range regexp.MustCompile(`ENGRAM_BUS_\w+ +(bus\.\w+)`).FindAllStringSubmatch(help, -1) {
		keys = append(keys, match[1])
	}
	return keys
}
