package model

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// bytePairFile is a tokenizer.json that has these merges, in this order.
func bytePairFile(t testing.TB, merges ...[2]string) map[string]any {
	t.Helper()
	vocabulary := map[string]int{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
	for _, name := range byteNames() {
		vocabulary[string(name)] = len(vocabulary)
	}
	for _, m := range merges {
		if _, known := vocabulary[m[0]+m[1]]; !known {
			vocabulary[m[0]+m[1]] = len(vocabulary)
		}
	}
	return map[string]any{
		"pre_tokenizer":  map[string]any{"type": "ByteLevel", "add_prefix_space": false},
		"post_processor": map[string]any{"type": "RobertaProcessing", "cls": []any{"<s>", 0}, "sep": []any{"</s>", 2}},
		"model":          map[string]any{"type": "BPE", "vocab": vocabulary, "merges": merges},
	}
}

func parseBytePairs(t testing.TB, file map[string]any) *bytePairs {
	t.Helper()
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, vocabulary, err := parseTokenizerJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := parsed.bytePairs(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decode is the text that tokens stand for.
func (b *bytePairs) decode(tokens []token) string {
	texts := map[int32]string{}
	for c, id := range b.bytes {
		texts[id] = string([]byte{byte(c)})
	}
	parts := make([]neighbours, len(b.merges)) // by rank: what a merge is of comes before it
	wholes := make([]int32, len(b.merges))
	for n, m := range b.merges {
		parts[m.rank], wholes[m.rank] = n, m.piece
	}
	for rank, n := range parts {
		texts[wholes[rank]] = texts[n.left] + texts[n.right]
	}
	var text strings.Builder
	for _, token := range tokens {
		text.WriteString(texts[token.id])
	}
	return text.String()
}

// checkTokens: they say all of the text, in order, and their spans leave out
// nothing but spaces.
func checkTokens(t interface{ Fatalf(string, ...any) }, b *bytePairs, text string) []token {
	tokens := b.encode(text)
	if got := b.decode(tokens); got != text {
		t.Fatalf("%.200q was decoded as %.200q", text, got)
	}
	last := 0
	for _, token := range tokens {
		start, end := int(token.start), int(token.end)
		if start < last || end < start || end > len(text) || strings.Trim(text[last:start], " ") != "" {
			t.Fatalf("%.200q: a token at %d to %d, after one to %d", text, start, end, last)
		}
		last = end
	}
	if strings.Trim(text[last:], " ") != "" {
		t.Fatalf("%.200q: no token after %d", text, last)
	}
	return tokens
}

// documented is a tokenizer that was made of this project's documents.
func documented(t testing.TB) *bytePairs {
	t.Helper()
	b, err := os.ReadFile("testdata/bytepairs/tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	file := map[string]any{}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	return parseBytePairs(t, file)
}

// TestBytePairsAgree compares with what Hugging Face's own library, in Rust,
// makes of texts in many scripts.
func TestBytePairsAgree(t *testing.T) {
	b := documented(t)
	f, err := os.Open("testdata/bytepairs/texts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	count := 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var want struct {
			Text string  `json:"text"`
			IDs  []int32 `json:"ids"`
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		got := []int32{}
		for _, token := range checkTokens(t, b, want.Text) {
			got = append(got, token.id)
		}
		if diff := cmp.Diff(want.IDs, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", want.Text, diff)
		}
		count++
	}
	if err := lines.Err(); err != nil || count < 100 {
		t.Fatalf("%d texts, %v", count, err)
	}
}

// TestBytePairs checks pieces by the bytes of the text that they stand for.
func TestBytePairs(t *testing.T) {
	for _, test := range []struct {
		name   string
		merges [][2]string
		text   string
		want   []string
	}{
		{"bytes", nil, "ab c", []string{"a", "b", "|", "c"}},
		{"the first of the list first", [][2]string{{"b", "c"}, {"a", "b"}}, "abc", []string{"a", "bc"}},
		{"of equal ones the leftmost", [][2]string{{"a", "a"}}, "aaaaa", []string{"aa", "aa", "a"}},
		{"merges of merges", [][2]string{{"a", "a"}, {"aa", "aa"}}, "aaaaaaa", []string{"aaaa", "aa", "a"}},
		{"the left neighbour of what was merged", [][2]string{{"b", "c"}, {"a", "bc"}}, "xabc", []string{"x", "abc"}},
		{"a merge that was queued and is over", [][2]string{{"c", "d"}, {"b", "c"}, {"a", "b"}}, "abcd", []string{"ab", "cd"}},
		{"a space belongs to the word after it", [][2]string{{"Ġ", "a"}}, "a a  a", []string{"a", "|a", "|", "|a"}},
		{"no merge across words", [][2]string{{"a", "."}, {"a", "1"}}, "a.a1", []string{"a", "|.", "|a", "|1"}},
		{"names of special tokens are text", nil, "</s>", []string{"<", "/", "|s", "|>"}},
		{"a character of several bytes", [][2]string{{"Ã", "©"}}, "é\u00e8", []string{"é", "\xc3", "\xa8"}},
		{"no UTF-8", nil, "\xff\xc3a", []string{"\xff", "\xc3", "|a"}},
		{"empty", nil, "", nil},
	} {
		b := parseBytePairs(t, bytePairFile(t, test.merges...))
		var got []string
		for i, token := range checkTokens(t, b, test.text) {
			piece := test.text[token.start:token.end]
			if token.begins && i > 0 {
				piece = "|" + piece
			}
			got = append(got, piece)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestWordEnd(t *testing.T) {
	for text, want := range map[string][]string{
		"we'll don't I'd":    {"we", "'ll", " don", "'t", " I", "'d"},
		"we'LL 's 'x '":      {"we", "'", "LL", " '", "s", " '", "x", " '"},
		"'''s":               {"'''", "s"},
		"a1b  22":            {"a", "1", "b", " ", " 22"},
		"x != y":             {"x", " !=", " y"},
		"a\n\n  b\n":         {"a", "\n\n ", " b", "\n"},
		"a\nb \n c":          {"a", "\n", "b", " \n", " c"},
		"a\u00a0\u3000b":     {"a", "\u00a0", "\u3000", "b"},
		"  ":                 {"  "},
		"naïve e\u0301x ²Ⅷ٣": {"naïve", " e", "\u0301", "x", " ²Ⅷ٣"},
		"\xff\xfea \xff":     {"\xff\xfe", "a", " \xff"},
	} {
		var got []string
		for rest := text; rest != ""; {
			end := wordEnd(rest)
			got, rest = append(got, rest[:end]), rest[end:]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestBytePairsWithASpaceBefore(t *testing.T) {
	file := bytePairFile(t, [2]string{"Ġ", "a"})
	file["pre_tokenizer"].(map[string]any)["add_prefix_space"] = true
	b := parseBytePairs(t, file)
	spaceA := b.merges[neighbours{b.bytes[' '], b.bytes['a']}].piece
	for text, want := range map[string][]token{
		"a":  {{spaceA, true, 0, 1}},
		" a": {{spaceA, true, 1, 2}},
		"b":  {{b.bytes[' '], true, 0, 0}, {b.bytes['b'], false, 0, 1}},
		"":   nil,
	} {
		if diff := cmp.Diff(want, b.encode(text), cmp.AllowUnexported(token{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestLongWords takes the worst: one word whose neighbours all merge, again and
// again.
func TestLongWords(t *testing.T) {
	b := parseBytePairs(t, bytePairFile(t, [2]string{"a", "a"}, [2]string{"aa", "aa"}, [2]string{"aaaa", "aaaa"}, [2]string{"Ġ", "Ġ"}))
	if n := len(checkTokens(t, b, strings.Repeat("a", 500))); n != 62+1 {
		t.Errorf("500 letters are %d tokens, want 62 of eight and one of four", n)
	}
	for _, c := range []string{"a", " ", "'", "\xff", "é", "\u0301", "\n"} {
		checkTokens(t, b, strings.Repeat(c, 64<<10))
		checkTokens(t, documented(t), strings.Repeat(c, 64<<10))
	}
}

func TestBytePairsSayAll(t *testing.T) {
	b := documented(t)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`[ a-e'\n]{0,12}`),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		)).Draw(t, "parts")
		checkTokens(t, b, strings.Join(parts, ""))
	})
}

func FuzzBytePairs(f *testing.F) {
	b := documented(f)
	for _, text := range []string{"", "the model's facts", "  a\n\n b", "\x00\xff\u0301", strings.Repeat("a", 500), "</s>🙂", "1,000 req/s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkTokens(t, b, text) })
}
