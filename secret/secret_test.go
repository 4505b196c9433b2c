package secret_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"engram/secret"
)

// Planted secrets are put together at run time, so that no scanner fires on
// this file. They have the form of the real thing and were never issued.
const (
	alnum = "q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX1aQe0UoBiSyWkMnDvPgLhCzEjFuA"
	hexes = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

func join(parts ...string) string { return strings.Join(parts, "") }

// planted are texts with a secret: name, rule or "" for any, text, secret.
func planted() [][4]string {
	pem := join("-----BEGIN RSA ", "PRIVATE KEY-----\n", strings.Repeat(alnum+"\n", 12), "-----END RSA ", "PRIVATE KEY-----")
	aws := join("AK", "IA", "Q3EGXMZ7KLWTRB5D")
	jwt := join("ey", "JhbGciOiJIUzI1NiJ9", ".ey", "JzdWIiOiIxMjM0NTY3ODkwIn0", ".", alnum[:43])
	return [][4]string{
		{"github", "github-pat", "CI pushes with ghp" + "_" + alnum[:36] + " since May.", alnum[:36]},
		{"github in quotes", "github-pat", `set "ghp` + "_" + alnum[:36] + `", then retry`, alnum[:36]},
		{"gitlab", "gitlab-pat", "token glp" + "at-" + alnum[:20], alnum[:20]},
		{"aws", "aws-access-token", "The bucket uses " + aws + " as its key.", aws},
		{"slack", "slack-bot-token", join("xo", "xb-", "123456789012-123456789012-", alnum[:24]), alnum[:24]},
		{"stripe", "stripe-access-token", join("sk", "_live_", alnum[:24]), alnum[:24]},
		{"jwt", "jwt", "Authorization: Bearer " + jwt, jwt},
		{"private key", "private-key", pem, alnum},
		{"generic", "generic-api-key", `api_key = "` + alnum[:32] + `"`, alnum[:32]},
		{"generic in YAML", "generic-api-key", "client_secret: " + alnum[10:42], alnum[10:42]},
		{"generic 32 hex", "generic-api-key", `api_key = "` + hexes[:32] + `"`, hexes[:32]},
		{"64 hex as a secret", "generic-api-key", `"client_secret": "` + hexes + `"`, hexes},
		{"vendor without prefix", "cisco-meraki-api-key", "meraki_api_key = " + hexes[:40], hexes[:40]},
		{"weak password in quotes", "", `password = "` + "correct-horse" + `"`, "correct-horse"},
		{"allowed by comment", "github-pat", "ghp" + "_" + alnum[:36] + " # gitleaks:allow", alnum[:36]},
		{"base64", "github-pat", "data: " + base64.StdEncoding.EncodeToString([]byte("token=ghp"+"_"+alnum[:36])), alnum[:36]},
		{"after an identifier", "github-pat", "key: " + hexes[:40] + " then ghp" + "_" + alnum[:36], alnum[:36]},
	}
}

func TestScanFindsPlantedSecrets(t *testing.T) {
	s := secret.New()
	for _, c := range planted() {
		t.Run(c[0], func(t *testing.T) {
			rule, found := s.Scan(c[2])
			if !found || c[1] != "" && rule != c[1] {
				t.Errorf("Scan = %q, %v; want %q, true", rule, found, c[1])
			}
			if strings.Contains(rule, c[3]) {
				t.Error("the rule contains the secret")
			}
		})
	}
}

// identifiers are what facts quote all the time.
func identifiers() map[string]string {
	return map[string]string{
		"commit":            hexes[:40],
		"upper-case commit": strings.ToUpper(hexes[:40]),
		"abbreviated":       hexes[:12],
		"SHA-256 commit":    hexes,
		"sha256":            "sha256:" + hexes,
		"sha512":            "sha512:" + hexes + hexes,
		"ULID":              "01J9ZQ3W8K5T7V2X4Y6B8D0F1H",
		"UUID":              "3f9c1ad2-7b1e-4c55-9a70-1f2e3d4c5b6a",
		"pointer":           "repo:internal/token_key.go#L12-L40@" + hexes[:40],
		"memory pointer":    "sam:architecture/auth/api-key@01J9ZQ3W8K5T7V2X4Y6B8D0F1H",
		"artifact":          "artifact:sha256:" + hexes,
		"pseudo-version":    "v0.0.0-20180306012644-bacd9c7ef1dd",
	}
}

func TestScanPassesIdentifiers(t *testing.T) {
	contexts := []string{
		"%s", "token: %s", "key: %s.", "key=%s", "api commit key: %s", "The token, %s, was replaced.",
		`"key": "%s"`, "token => '%s'", "access token digest: %s", "auth = `%s`",
		"sourcegraph at %s", "datadog: %s", "sentry, %s", "sonar token commit: %s", "cloudflare = %s", "heroku: %s",
		"mattermost: %s", "ATTRIBUTE of api/token-key changed from 1 to 2 at commit %s",
	}
	s := secret.New()
	for name, id := range identifiers() {
		for _, context := range contexts {
			text := fmt.Sprintf(context, id)
			if rule, found := s.Scan(text); found {
				t.Errorf("%s: %q flagged by %s", name, text, rule)
			}
		}
	}
}

func TestScanPassesMD5(t *testing.T) {
	s := secret.New()
	for _, text := range []string{
		"key: " + hexes[:32], "token = " + hexes[:32], "api_key digest: " + hexes[:32],
		"linear hash: " + hexes[:32], "cache key md5: " + hexes[:32], "cache_key=" + hexes[:32],
	} {
		if rule, found := s.Scan(text); found {
			t.Errorf("%q flagged by %s", text, rule)
		}
	}
}

func TestScanIgnoresUserConfiguration(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, ".gitleaks.toml")
	if err := os.WriteFile(config, []byte("title = \"nothing\"\n[[rules]]\nid = \"x\"\nregex = 'never'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GITLEAKS_CONFIG", config)
	t.Setenv("GITLEAKS_CONFIG_TOML", "title = 'nothing'")
	if rule, found := secret.New().Scan(planted()[0][2]); rule != "github-pat" || !found {
		t.Errorf("Scan = %q, %v; want github-pat, true", rule, found)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the working folder holds %d entries, want the configuration alone: %v", len(entries), err)
	}
}

// TestScanPrintsNothing runs this test binary again: gitleaks's logger takes
// hold of stderr when the process starts.
func TestScanPrintsNothing(t *testing.T) {
	const again = "ENGRAM_SECRET_SILENT"
	if os.Getenv(again) != "" {
		s := secret.New()
		s.Warm()
		for _, c := range planted() {
			s.Scan(c[2])
		}
		os.Exit(0) // before the testing package prints its verdict
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestScanPrintsNothing$")
	cmd.Env = append(os.Environ(), again+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) != 0 {
		t.Errorf("output %d bytes, error %v; want none", len(out), err)
	}
}

func TestScanConcurrently(t *testing.T) {
	s := secret.New()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s.Warm()
			for _, c := range planted() {
				if _, found := s.Scan(c[2]); !found {
					t.Errorf("%s: not found", c[0])
				}
			}
			if rule, found := s.Scan("key: " + hexes[:40]); found {
				t.Errorf("commit flagged by %s", rule)
			}
		})
	}
	wg.Wait()
}
