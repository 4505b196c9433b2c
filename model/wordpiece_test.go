package model

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func pieceTexts(tokens []token, text string) []string {
	list := []string{}
	for _, t := range tokens {
		piece := text[t.start:t.end]
		switch {
		case t.id == 0:
			piece = "?" + piece
		case !t.begins:
			piece = "##" + piece
		}
		list = append(list, piece)
	}
	return list
}

// tinyTokenizer knows these pieces; [UNK] is 0.
func tinyTokenizer(t testing.TB, normalizer string, vocabulary ...string) *tokenizer {
	t.Helper()
	ids := map[string]int{"[UNK]": 0}
	for _, v := range vocabulary {
		ids[v] = len(ids)
	}
	text, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	tk, err := parseTokenizer([]byte(`{"normalizer": {"type": "BertNormalizer"` + normalizer + `}, "pre_tokenizer": {"type": "BertPreTokenizer"},
		"model": {"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 12, "vocab": ` + string(text) + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	return tk
}

// TestEncode checks the pieces by the bytes of the text that they stand for.
func TestEncode(t *testing.T) {
	vocabulary := []string{"run", "##ning", "##n", "##run", "cafe", "CAFE", "Café", ".", "[", "]", "sep", "東", "京", "a", "\u1112", "##\u1161", "##\u11ab", "$", "\"", `\`, "æ", "é"}
	for _, test := range []struct {
		name, normalizer, text string
		want                   []string
	}{
		{"longest piece first", "", "running runn", []string{"run", "##ning", "run", "##n"}},
		{"no part of a word is known alone", "", "runs run", []string{"?runs", "run"}},
		{"punctuation stands alone", "", "run.run..", []string{"run", ".", "run", ".", "."}},
		{"ASCII symbols are punctuation", "", `$"\`, []string{"$", `"`, `\`}},
		{"names of special tokens are text", "", "[SEP]", []string{"[", "SEP", "]"}},
		{"accents and case", "", "Café CAFÉ cafe\u0301", []string{"Café", "CAFÉ", "cafe"}},
		{"cased", `, "lowercase": false`, "CAFE Café", []string{"CAFE", "Café"}},
		{"accents stay", `, "strip_accents": false`, "É CAFE", []string{"É", "CAFE"}},
		{"CJK characters are words", "", "a東京a", []string{"a", "東", "京", "a"}},
		{"CJK left alone", `, "handle_chinese_chars": false`, "東京", []string{"?東京"}},
		{"Hangul is taken apart", "", "한", []string{"한", "##한", "##한"}},
		{"control characters vanish", "", "ru\x00\u200d\ufeffn\xff", []string{"ru\x00\u200d\ufeffn"}},
		{"white space", "", "\trun\u00a0run\u3000\n", []string{"run", "run"}},
		{"not cleaned", `, "clean_text": false`, "ru\x00n run", []string{"?ru\x00n", "run"}},
		{"longest word", "", "runrunrunrun runrunrunrunn", []string{"run", "##run", "##run", "##run", "?runrunrunrunn"}},
		{"empty", "", " \n", []string{}},
	} {
		var p pieces
		tk := tinyTokenizer(t, test.normalizer, vocabulary...)
		if diff := cmp.Diff(test.want, pieceTexts(tk.encode(&p, test.text), test.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestEncodeAgrees compares with an implementation in Python, written apart from
// this one, on random texts in many scripts.
func TestEncodeAgrees(t *testing.T) {
	root := os.Getenv("ENGRAM_DATA")
	if root == "" {
		t.Skip("ENGRAM_DATA is not set: it names the folder with models/model2vec-fixtures")
	}
	tk, err := readTokenizer(os.DirFS(filepath.Join(root, "models", "model2vec-fixtures", "test-model-float32")), parseTokenizer)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/wordpiece.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p pieces
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
		for _, token := range tk.encode(&p, want.Text) {
			got = append(got, token.id)
		}
		if diff := cmp.Diff(want.IDs, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", want.Text, diff)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestMedian(t *testing.T) {
	for want, counts := range map[int][]int{0: {}, 1: {0, 1}, 2: {0, 1, 0, 1}, 3: {0, 1, 0, 2}} {
		if got := median(counts); got != want {
			t.Errorf("median of %v is %d, want %d", counts, got, want)
		}
	}
}

func TestTokenizerRefuses(t *testing.T) {
	const bert = `"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}, `
	for text, want := range map[string]string{
		``:   "unexpected end",
		`[]`: "cannot unmarshal",
		`{`:  "unexpected end",
		`{"model": {"type": "BPE", "vocab": {}}}`:                                                               `a model of type "BPE"`,
		`{"model": {"type": "Unigram", "vocab": []}}`:                                                           `a model of type "Unigram"`,
		`{"model": {"type": "WordPiece"}, "normalizer": {"type": "Lowercase"}}`:                                 `a normalizer of type "Lowercase"`,
		`{"model": {"type": "WordPiece"}, "normalizer": {"type": "BertNormalizer"}}`:                            `a pre-tokenizer of type ""`,
		`{` + bert + `"model": {"type": "WordPiece"}}`:                                                          "there is no vocabulary",
		`{` + bert + `"model": {"type": "WordPiece", "vocab": ["a"]}}`:                                          "or it is not an object",
		`{` + bert + `"model": {"type": "WordPiece", "vocab": {"a": -1}}}`:                                      "not a whole number",
		`{` + bert + `"model": {"type": "WordPiece", "vocab": {"a": 1.5}}}`:                                     "not a whole number",
		`{` + bert + `"model": {"type": "WordPiece", "vocab": {"a": 99999999999999999999}}}`:                    "not a whole number",
		`{` + bert + `"model": {"type": "WordPiece", "vocab": {"a": "b"}}}`:                                     "not a whole number",
		`{` + bert + `"model": {"type": "WordPiece", "vocab": {"a": {"b": 1}}}}`:                                "not a whole number",
		`{` + bert + `"model": {"type": "WordPiece", "vocab": {"` + strings.Repeat("a", maxPiece+1) + `": 1}}}`: "a piece of 1025 bytes",
	} {
		if _, err := parseTokenizer([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", text, err, want)
		}
	}
	if _, err := parseTokenizer([]byte(`{` + bert + `"vocab": {"a": 1}, "model": {"type": "WordPiece", "vocab": "vocab"}}`)); err == nil {
		t.Error("a vocabulary in another place was taken")
	}
	tk, err := parseTokenizer([]byte(`{"added": ["vocab"], ` + bert + `"model": {"continuing_subword_prefix": "##", "vocab" : { "a\"\u0062\\" : 7 , "c":8,
		"vocab":9}, "unk_token": "c"}}`))
	if err != nil || tk.words[`a"b\`] != 7 || tk.words["c"] != 8 || tk.words["vocab"] != 9 || tk.unknown != 8 {
		t.Errorf("escapes: %+v, %v", tk, err)
	}
}

func FuzzTokenizer(f *testing.F) {
	tk := tinyTokenizer(f, "", "run", "##ning", ".", "東")
	for _, text := range []string{"running. 東京", "\x00\xff\u0301", "İ한ﬁ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p pieces
		last := int32(0)
		for _, token := range tk.encode(&p, text) {
			if token.start < 0 || token.start > token.end || int(token.end) > len(text) || token.start < last && token.begins {
				t.Fatalf("%q: token %+v", text, token)
			}
			last = token.start
		}
	})
}

func FuzzTokenizerFile(f *testing.F) {
	f.Add([]byte(`{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": {"type": "WordPiece", "vocab": {"a": 0, "##b": 1}}}`))
	f.Add([]byte(`{"model": {"type": "WordPiece", "vocab": {"a\"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		tk, err := parseTokenizer(b)
		if err != nil {
			return
		}
		var p pieces
		tk.encode(&p, "a ab")
	})
}
