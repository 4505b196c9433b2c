package bus_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"hash/fnv"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"engram/bus"
)

var (
	tuning = flag.Bool("code.tune", false, "measure on the half that thresholds are chosen by")
	misses = flag.Int("code.misses", 0, "show as many of what was missed or wrongly taken for code")
)

// TestMeasureCode takes the fences away from what agents wrote in real sessions, and
// counts how much of what stood in them is still taken for code, and how much of what
// stood outside. It needs the folder of outside data; half of the sessions are for
// choosing thresholds, and the other half is reported.
func TestMeasureCode(t *testing.T) {
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA does not name the folder of measurement data")
	}
	texts := sessionTexts(t, filepath.Join(data, "sessions"))
	counts := map[string]*codeCount{}
	shown := 0
	for _, text := range texts {
		bare, labels := withoutFences(text.text)
		found := flagged(bare)
		at := 0
		for _, part := range labels {
			kind := part.kind
			if kind == "" {
				kind = "prose"
			}
			c := counts[kind]
			if c == nil {
				c = &codeCount{}
				counts[kind] = c
			}
			hit := c.add(bare[at:part.end], found[at:part.end])
			if (kind == "prose") == hit && shown < *misses && strings.TrimSpace(bare[at:part.end]) != "" {
				shown++
				t.Logf("%s, taken for code: %v\n%s", kind, hit, marked(bare[at:part.end], found[at:part.end]))
			}
			at = part.end
		}
	}
	report(t, counts)
	measureSentences(t, filepath.Join(data, "facts", "facts_share.jsonl"))
}

// codeCount counts parts of texts: characters, parts, and how many of them are taken
// for code, a part where at least half of it is.
type codeCount struct{ chars, flagged, parts, partsFlagged int }

func (c *codeCount) add(text string, found []bool) bool {
	n, hits := 0, 0
	for i, r := range text {
		if r == ' ' || r == '\n' || r == '\t' {
			continue
		}
		n++
		if found[i] {
			hits++
		}
	}
	c.chars, c.flagged = c.chars+n, c.flagged+hits
	if n > 0 {
		c.parts++
	}
	if n > 0 && 2*hits >= n {
		c.partsFlagged++
		return true
	}
	return false
}

func report(t *testing.T, counts map[string]*codeCount) {
	t.Helper()
	var kinds []string
	code, all := codeCount{}, codeCount{}
	for kind, c := range counts {
		kinds = append(kinds, kind)
		if kind != "prose" {
			code.parts, code.partsFlagged = code.parts+c.parts, code.partsFlagged+c.partsFlagged
		}
		if isLanguage(kind) {
			all.chars, all.flagged, all.parts, all.partsFlagged = all.chars+c.chars, all.flagged+c.flagged, all.parts+c.parts, all.partsFlagged+c.partsFlagged
		}
	}
	sort.Strings(kinds)
	for _, kind := range kinds {
		c := counts[kind]
		t.Logf("%-12s %7d characters, %5.1f %% taken for code; %4d parts, %5.1f %%", kind, c.chars, share(c.flagged, c.chars), c.parts, share(c.partsFlagged, c.parts))
	}
	prose := counts["prose"]
	t.Logf("code of programming languages: recall %.1f %% of %d characters, %.1f %% of %d blocks", share(all.flagged, all.chars), all.chars, share(all.partsFlagged, all.parts), all.parts)
	if prose != nil {
		t.Logf("precision beside this prose: %.1f %% in characters, %.1f %% in parts", share(all.flagged, all.flagged+prose.flagged), share(all.partsFlagged, all.partsFlagged+prose.partsFlagged))
	}
}

// isLanguage leaves out fences of commands, diagrams, tables, output and plain text.
func isLanguage(kind string) bool {
	switch kind {
	case "go", "python", "py", "javascript", "js", "typescript", "ts", "java", "rust", "c", "cpp", "sql", "json", "diff", "html", "css":
		return true
	}
	return false
}

func share(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }

// measureSentences counts technical sentences that are taken for code.
func measureSentences(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n, wrong, chars, flaggedChars, shown := 0, 0, 0, 0, 0
	for i := 0; lines.Scan(); i++ {
		if (i%2 == 0) != *tuning {
			continue
		}
		var row struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		spans, c := bus.Code(row.Text)
		n, chars, flaggedChars = n+1, chars+utf8.RuneCountInString(row.Text), flaggedChars+c
		if len(spans) > 0 {
			wrong++
			if shown++; shown <= *misses {
				t.Logf("sentence taken for code: %.300q: %.200q", row.Text, row.Text[spans[0].Start:spans[0].End])
			}
		}
	}
	t.Logf("technical sentences: %d of %d hold what is taken for code (%.2f %%), %.2f %% of their characters", wrong, n, share(wrong, n), share(flaggedChars, chars))
}

type sessionText struct{ text string }

// sessionTexts are what agents and people wrote in the sessions of one half.
func sessionTexts(t *testing.T, dir string) []sessionText {
	t.Helper()
	var texts []sessionText
	for _, pattern := range []string{"entire-cli/*.jsonl", "swe-agent/*.traj"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no sessions at %s: %v", pattern, err)
		}
		for _, file := range files {
			h := fnv.New32a()
			h.Write([]byte(filepath.Base(file)))
			if (h.Sum32()%2 == 0) != *tuning {
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, ".traj") {
				texts = append(texts, trajectory(b)...)
			} else {
				texts = append(texts, transcript(b)...)
			}
		}
	}
	return texts
}

func trajectory(b []byte) []sessionText {
	var doc struct{ Trajectory []struct{ Response string } }
	var texts []sessionText
	if json.Unmarshal(b, &doc) == nil {
		for _, step := range doc.Trajectory {
			texts = append(texts, sessionText{step.Response})
		}
	}
	return texts
}

// transcript takes texts and files that were written; lines that are no JSON are
// left out.
func transcript(b []byte) []sessionText {
	var texts []sessionText
	for line := range bytes.Lines(b) {
		var row struct {
			Message struct{ Content json.RawMessage }
		}
		if json.Unmarshal(line, &row) != nil {
			continue
		}
		var plain string
		if json.Unmarshal(row.Message.Content, &plain) == nil {
			texts = append(texts, sessionText{plain})
			continue
		}
		var parts []struct {
			Type, Text, Thinking string
			Input                struct {
				FilePath  string `json:"file_path"`
				Content   string
				NewString string `json:"new_string"`
			}
		}
		if json.Unmarshal(row.Message.Content, &parts) != nil {
			continue
		}
		for _, p := range parts {
			texts = append(texts, sessionText{p.Text + p.Thinking})
			if ext := strings.TrimPrefix(filepath.Ext(p.Input.FilePath), "."); isLanguage(ext) {
				texts = append(texts, sessionText{"```" + ext + "\n" + p.Input.Content + p.Input.NewString + "\n```"})
			}
		}
	}
	return texts
}

// part is a stretch of a text up to end: of a fence, whose kind is its language, or
// outside of any.
type part struct {
	end  int
	kind string
}

// withoutFences takes the lines of fences out of a text.
func withoutFences(text string) (string, []part) {
	var bare strings.Builder
	var parts []part
	kind := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			parts = append(parts, part{bare.Len(), kind})
			if kind == "" {
				if kind = strings.ToLower(strings.Trim(trimmed, "`")); kind == "" || strings.ContainsAny(kind, " .") {
					kind = "no language"
				}
			} else {
				kind = ""
			}
			continue
		}
		bare.WriteString(line)
	}
	return bare.String(), append(parts, part{bare.Len(), kind})
}

func flagged(text string) []bool {
	found := make([]bool, len(text))
	spans, _ := bus.Code(text)
	for _, s := range spans {
		for i := s.Start; i < s.End; i++ {
			found[i] = true
		}
	}
	return found
}

// marked shows which lines are taken for code.
func marked(text string, found []bool) string {
	var b strings.Builder
	at := 0
	for line := range strings.Lines(text) {
		mark := "    "
		for i := at; i < at+len(line); i++ {
			if found[i] {
				mark = "  | "
			}
		}
		b.WriteString(mark + strings.TrimRight(line, "\n") + "\n")
		at += len(line)
	}
	if b.Len() > 1500 {
		return b.String()[:1500] + "…"
	}
	return b.String()
}
