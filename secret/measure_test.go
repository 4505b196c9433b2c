package secret_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"engram/secret"
)

// TestMeasureSecrets prints what docs/secrets.md quotes. It asserts nothing
// about the figures: the data is not part of the project.
func TestMeasureSecrets(t *testing.T) {
	dir := os.Getenv("ENGRAM_DATA")
	if dir == "" {
		t.Skip("skipped: ENGRAM_DATA does not name the folder with the measurement data")
	}
	s := secret.New()
	t.Run("gitleaks cases", func(t *testing.T) { measureCases(t, s, filepath.Join(dir, "secrets")) })
	t.Run("leaky repository", func(t *testing.T) { measureLeakyRepo(t, s, filepath.Join(dir, "secrets")) })
	t.Run("facts", func(t *testing.T) { measureFacts(t, s, filepath.Join(dir, "facts")) })
	t.Run("updates", func(t *testing.T) { measureUpdates(t, s, filepath.Join(dir, "facts")) })
}

// measureCases prints recall, precision and the misses by gitleaks rule.
func measureCases(t *testing.T, s *secret.Scanner, dir string) {
	var found, missed, bare, wrong, right int
	byRule := map[string]int{}
	readLines(t, filepath.Join(dir, "gitleaks_cases.b64.jsonl"), func(r struct {
		Rule     string `json:"rule"`
		Positive bool   `json:"positive"`
		Input    string `json:"input_b64"`
	}) {
		text := decode(t, r.Input)
		_, hit := s.Scan(text)
		switch {
		case r.Positive && hit:
			found++
		case r.Positive && isBareName(text):
			bare++
		case r.Positive:
			missed++
			byRule["missed "+r.Rule]++
		case hit:
			wrong++
			byRule["wrongly flagged "+r.Rule]++
		default:
			right++
		}
	})
	all := found + missed + bare
	t.Logf("positives: %d of %d found (recall %.3f); %d missed hold nothing but a name; %d of %d others found (recall %.3f)",
		found, all, ratio(found, all), bare, found, found+missed, ratio(found, found+missed))
	t.Logf("negatives: %d of %d flagged (precision %.3f)", wrong, wrong+right, ratio(found, found+wrong))
	logCounts(t, byRule)
}

// isBareName recognises cases that are labelled positive and hold only the name
// of a vendor, such as "twitter": the argument of gitleaks's own generator of
// cases, which was collected with them.
func isBareName(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-. ") == ""
}

// measureLeakyRepo scans each file line by line and as a whole.
func measureLeakyRepo(t *testing.T, s *secret.Scanner, dir string) {
	var files, byLines, byWhole, lines, risk, informative int
	readLines(t, filepath.Join(dir, "leaky_repo.b64.jsonl"), func(r struct {
		Path        string `json:"path"`
		Risk        int    `json:"risk_lines"`
		Informative int    `json:"informative_lines"`
		Content     string `json:"content_b64"`
	}) {
		text := decode(t, r.Content)
		flagged := 0
		for line := range strings.Lines(text) {
			if _, hit := s.Scan(line); hit {
				flagged++
			}
		}
		rule, whole := s.Scan(text)
		if r.Risk > 0 {
			files++
			byLines += min(flagged, 1)
			if whole {
				byWhole++
			}
		}
		lines, risk, informative = lines+flagged, risk+r.Risk, informative+r.Informative
		t.Logf("%-38s risk %2d, informative %2d, lines flagged %2d, whole %v %s", r.Path, r.Risk, r.Informative, flagged, whole, rule)
	})
	t.Logf("files with risk lines: %d; flagged line by line %d, as a whole %d; lines flagged: %d (risk %d, informative %d)",
		files, byLines, byWhole, lines, risk, informative)
}

func measureFacts(t *testing.T, s *secret.Scanner, dir string) {
	var n, flagged int
	readLines(t, filepath.Join(dir, "facts_share.jsonl"), func(r struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}) {
		n++
		if rule, hit := s.Scan(r.Text); hit {
			flagged++
			t.Logf("flagged %s by %s", r.ID, rule)
		}
	})
	t.Logf("facts: %d of %d flagged, %.2f per 10,000", flagged, n, 10000*ratio(flagged, n))
}

func measureUpdates(t *testing.T, s *secret.Scanner, dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*_fact_updates.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no updates in the data folder: %v", err)
	}
	var n, flagged int
	for _, path := range paths {
		readLines(t, path, func(r struct {
			Subject, Attribute, Old, New, Commit string
		}) {
			n++
			text := fmt.Sprintf("%s of %s changed from %s to %s at commit %s", r.Attribute, r.Subject, r.Old, r.New, r.Commit)
			if rule, hit := s.Scan(text); hit {
				flagged++
				t.Logf("flagged by %s: commit %s", rule, r.Commit)
			}
		})
	}
	t.Logf("updates: %d of %d flagged", flagged, n)
}

func readLines[T any](t *testing.T, path string, each func(T)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", filepath.Base(path), err)
		}
		each(row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func decode(t *testing.T, s string) string {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

func logCounts(t *testing.T, counts map[string]int) {
	t.Helper()
	var keys []string
	for k := range counts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		t.Logf("%3d %s", counts[k], k)
	}
}
