package secret

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/internal/visible"

	"github.com/zricethezav/gitleaks/v8/detect/codec"
	"pgregory.net/rapid"
)

// reference finds what Scan must find, without any short cut: every rule with a
// keyword on the whole window, gitleaks's own decoder, line by line.
type reference struct{ rules *ruleSet }

func newReference(t testing.TB) reference {
	rs, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	return reference{rs}
}

func (r reference) scan(text string) string {
	for {
		window := text[:min(len(text), windowSize)]
		if rule := r.window(window); rule != "" || len(window) == len(text) {
			return rule
		}
		text = text[windowSize-windowOverlap:]
	}
}

func (r reference) window(window string) string {
	if rule := r.plain(window); rule != "" {
		return rule
	}
	decoded, segments := codec.NewDecoder().Decode(window, nil)
	if len(segments) == 0 {
		return ""
	}
	if rule := r.plain(decoded); rule != "" {
		return rule
	}
	folded, _ := visible.Fold(decoded)
	return r.plain(folded)
}

func (r reference) plain(text string) string {
	if hasConnectionPassword(text) {
		return RuleConnectionString
	}
	for _, h := range r.rules.wholeHits(text) {
		own, err := r.rules.rules[h.rule].compile()
		if err != nil {
			return RuleUnavailable
		}
		for _, f := range own.find(text, 0, len(text)) {
			if !isIdentifier(own.id, f.match, f.secret) {
				return own.id
			}
		}
	}
	return ""
}

// compare wants what the reference finds, in the text and in its folded form.
func (r reference) compare(t *testing.T, s *Scanner, text string) {
	t.Helper()
	want := r.scan(text)
	if folded, at := visible.Fold(text); want == "" && at != nil {
		want = r.scan(folded)
	}
	if got, _ := s.Scan(text); got != want {
		t.Errorf("Scan = %q, the reference finds %q in %.300q", got, want, text)
	}
}

// hasConnectionPassword reports whether the text has a connection string with
// a password that is not a placeholder. The forms:
//
//  1. scheme://user:password@host, any scheme, the user may be missing;
//  2. user:password@tcp(host)/db, the DSN of Go's MySQL driver;
//  3. jdbc:oracle:thin:user/password@host;
//  4. Server=db;Password=…; as ADO.NET and ODBC write it;
//  5. host=db password=…, the DSN of libpq;
//  6. scheme://host/db?user=app&password=….
func hasConnectionPassword(text string) bool {
	return hasURLPassword(text) || hasDriverPassword(text) || hasKeyedPassword(text)
}

// hasURLPassword covers form 1.
func hasURLPassword(text string) bool {
	for {
		i := strings.Index(text, "://")
		if i < 0 {
			return false
		}
		named := i > 0 && isAlnum(text[i-1])
		text = text[i+len("://"):]
		run := text[:min(len(text), maxRun)]
		if named && isUserinfo(authorityOf(run[:indexAnyOrEnd(run, stops)])) {
			return true
		}
	}
}

// isUserinfo takes what stands between :// and the path. The last @ counts: a
// raw password may have one too. An image reference (name:tag@sha256:…) has
// the same form and is none.
func isUserinfo(authority string) bool {
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return false
	}
	user, password, ok := strings.Cut(authority[:at], ":")
	host, _, _ := strings.Cut(strings.Trim(authority[at+1:], ".,;)>]"), ":")
	if !ok || host == "" || isIdentifierWord(host) || shapeOf(host) != shapeNone {
		return false
	}
	return isPassword(user, password)
}

// hasDriverPassword covers forms 2 and 3, whose login is not behind ://.
func hasDriverPassword(text string) bool {
	for _, network := range []string{"@tcp(", "@tcp6(", "@unix(", "@cloudsql("} {
		for rest := text; ; {
			before, after, ok := strings.Cut(rest, network)
			if !ok {
				break
			}
			before = before[max(0, len(before)-maxRun):]
			login := before[strings.LastIndexAny(before, stops+"=")+1:]
			if user, password, ok := strings.Cut(login, ":"); ok && isPassword(user, password) {
				return true
			}
			rest = after
		}
	}
	_, oracle, _ := strings.Cut(text, "jdbc:oracle:")
	login, _, ok := strings.Cut(oracle[:indexAnyOrEnd(oracle, stops)], "@")
	user, password, split := strings.Cut(login[strings.LastIndexByte(login, ':')+1:], "/")
	return ok && split && isPassword(user, password)
}

// hasKeyedPassword covers forms 4, 5 and 6: password=value on a line with a
// key that only a connection string has. gitleaks looks at password=value
// alone and wants the value to look random; in a connection string it need not.
func hasKeyedPassword(text string) bool {
	for line := range strings.Lines(text) {
		lower := asciiLower(line)
		if !containsAny(lower, "password", "pwd") {
			continue
		}
		keyed := hasConnectionKey(lower)
		for _, k := range []string{"password=", "password =", "pwd=", "pwd ="} {
			for from := 0; ; {
				i := strings.Index(lower[from:], k)
				if i < 0 {
					break
				}
				inURL := isInURL(lower[:from+i])
				from += i + len(k)
				if (keyed || inURL) && isPassword("", valueOf(line[from:])) {
					return true
				}
			}
		}
	}
	return false
}

// pieces are what texts with and without secrets are made of.
func pieces() []string {
	token := "q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX1aQe0UoBiSyWkMnDvPgLhCzEjFuA"
	hexes := "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
	return []string{
		"key", "api_key", " = ", ": ", "=", "==", "=>", "||", "?=", ",", "\"", "'", "`", "\n", "\r\n", " ", ";", "\\n", "token", "secret", "password",
		"passwd", "access", "Auth", "API", "credentials", "of the index", "letters", "abcdefghijklmnop", token[:12], token[:32], token[20:], hexes, hexes[:32],
		hexes[:12], "ghp_" + token[:36], "AKIA" + "Q3EGXMZ7KLWTRB5D", "postgres://user:hunter22@db/x", "://", "u:hunter22@tcp(db)", "jdbc:oracle:thin:a/hunter22@h",
		"Server=db;", "Password=hunter22;", "pwd = hunter22", "kind: Secret\n", "data:\n  ", "curl -u ", "admin:hunter22 ", "https://h/p?user=a&", "%20", "%41%42", "\\u0041",
		"U+0041 ", "U+0042", base64.StdEncoding.EncodeToString([]byte("api_key = " + token[:30])), "c2VjcmV0IGtleSBmb3IgdGhlIGFwaQ==", "6170695f6b6579203d2071375a72324c774b397854623456",
		"sonar_login", "atlassian", "okta", "twitter", "sk", "s.", "sg.", "test_", "lob", "hvs.", "sourcegraph", "facebook", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----",
		"\u00ad", "\u200b", "\x1b[0m", "\u212a", "\u017f", "é", "\xff", "_", "-", ".", "/", "+", "(", ")", "{", "}", "redacted", "[redacted: github-pat]", "commit ", "sha256:",
	}
}

func drawText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces()), rapid.StringMatching(`[a-zA-Z0-9_.=:'" /+-]{0,12}`)), 0, 24).Draw(t, "text"), "")
}

func TestScanIsReference(t *testing.T) {
	s, r := New(), newReference(t)
	rapid.Check(t, func(rt *rapid.T) { r.compare(t, s, drawText(rt)) })
}

// TestScanIsReferenceByRule compares on texts that are made to match each rule.
func TestScanIsReferenceByRule(t *testing.T) {
	s, r := New(), newReference(t)
	around := rapid.SampledFrom([]string{"", "\n", "key = \"", "\"\n", " ", "\r\n\n", "test EXAMPLE ", "\nnext line\n", "token: abcdefghijklmnop ", strings.Repeat("x", 120)})
	for _, lazy := range r.rules.rules {
		own, err := lazy.compile()
		if err != nil {
			t.Fatal(err)
		}
		matching := rapid.StringMatching(own.form.String())
		for seed := range 8 {
			text := around.Example(seed) + matching.Example(seed) + around.Example(seed+100) + matching.Example(seed+200) + around.Example(seed+300)
			r.compare(t, s, text)
			var want, got []finding
			for _, h := range r.rules.wholeHits(text) {
				if h.rule == r.ruleAt(lazy.id) {
					want = own.find(text, 0, len(text))
				}
			}
			for _, h := range r.rules.hits(text) {
				for _, p := range h.parts {
					if h.rule == r.ruleAt(lazy.id) && !p.idle {
						got = append(got, own.find(text, p.start, p.end)...)
					}
				}
			}
			if len(want) != len(got) {
				t.Errorf("%s: %d findings in the parts, %d in the whole of %q", lazy.id, len(got), len(want), text)
			}
		}
	}
}

func (r reference) ruleAt(id string) int {
	for n, lazy := range r.rules.rules {
		if lazy.id == id {
			return n
		}
	}
	return -1
}

func TestEncodingsAreGitleaks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := drawText(rt)
		want, _ := codec.NewDecoder().Decode(text, nil)
		if got, _ := decode(text); got != want {
			t.Fatalf("decode(%q) = %q, want %q", text, got, want)
		}
	})
}

func FuzzScanIsReference(f *testing.F) {
	for _, p := range pieces() {
		f.Add("key = " + p + "\n" + p)
	}
	s, r := New(), newReference(f)
	f.Fuzz(func(t *testing.T, text string) {
		r.compare(t, s, text)
		want, _ := codec.NewDecoder().Decode(text, nil)
		if got, _ := decode(text); got != want {
			t.Fatalf("decode(%q) = %q, want %q", text, got, want)
		}
	})
}

// TestScanIsReferenceInData compares on planted secrets, whole and by lines, and on
// the strings of transcripts.
func TestScanIsReferenceInData(t *testing.T) {
	s, r := New(), newReference(t)
	texts := dataTexts(t)
	found := 0
	for _, text := range texts {
		r.compare(t, s, text)
		if _, hit := s.Scan(text); hit {
			found++
		}
	}
	t.Logf("%d texts, secrets in %d", len(texts), found)
}

func dataTexts(t *testing.T) (texts []string) {
	t.Helper()
	dir := os.Getenv("ENGRAM_DATA")
	if dir == "" {
		t.Skip("skipped: ENGRAM_DATA does not name the folder with the measurement data")
	}
	for _, name := range []string{"gitleaks_cases.b64.jsonl", "leaky_repo.b64.jsonl"} {
		eachLine(t, filepath.Join(dir, "secrets", name), func(line []byte) {
			var c struct {
				Input   string `json:"input_b64"`
				Content string `json:"content_b64"`
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			text, err := base64.StdEncoding.DecodeString(c.Input + c.Content)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
			for l := range strings.Lines(string(text)) {
				texts = append(texts, l)
			}
		})
	}
	return append(texts, transcriptTexts(t, dir)...)
}

// transcriptTexts are the decoded strings of transcripts.
func transcriptTexts(t testing.TB, dir string) (texts []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "sessions", "*", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Skipf("skipped: no transcripts in the data folder: %v", err)
	}
	for _, path := range paths {
		eachLine(t, path, func(line []byte) {
			var v any
			if json.Unmarshal(line, &v) == nil {
				texts = appendStrings(texts, v)
			}
		})
	}
	return texts
}

func appendStrings(texts []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(texts, v)
	case []any:
		for _, e := range v {
			texts = appendStrings(texts, e)
		}
	case map[string]any:
		for _, e := range v {
			texts = appendStrings(texts, e)
		}
	}
	return texts
}

func eachLine(t testing.TB, path string, each func([]byte)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		each(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkScanTranscripts is the speed on the strings of transcripts.
func BenchmarkScanTranscripts(b *testing.B) {
	dir := os.Getenv("ENGRAM_DATA")
	if dir == "" {
		b.Skip("skipped: ENGRAM_DATA does not name the folder with the measurement data")
	}
	texts := transcriptTexts(b, dir)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	s, r := New(), newReference(b)
	for name, scan := range map[string]func(string){
		"scan":      func(text string) { s.Scan(text) },
		"redact":    func(text string) { s.Redact(text) },
		"reference": func(text string) { r.scan(text) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, text := range texts {
					scan(text)
				}
			}
		})
	}
}
