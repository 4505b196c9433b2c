package model

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEncodingRefuses(t *testing.T) {
	set := func(part, key string, value any) func(map[string]any) {
		return func(file map[string]any) { file[part].(map[string]any)[key] = value }
	}
	for name, test := range map[string]struct {
		change func(file map[string]any)
		is     error
		want   string
	}{
		"SentencePiece":      {func(f map[string]any) { f["model"] = map[string]any{"type": "Unigram", "vocab": []any{}} }, ErrNoModel, `a model of type "Unigram"`},
		"no type":            {set("model", "type", nil), ErrNoModel, `a model of type ""`},
		"a normalizer":       {func(f map[string]any) { f["normalizer"] = map[string]any{"type": "NFC"} }, ErrNoModel, `a normalizer of type "NFC"`},
		"another splitting":  {set("pre_tokenizer", "type", "Sequence"), ErrNoModel, `a pre-tokenizer of type "Sequence"`},
		"no splitting":       {set("pre_tokenizer", "use_regex", false), ErrNoModel, "use_regex: false"},
		"another layout":     {set("post_processor", "type", "TemplateProcessing"), ErrNoModel, `type "TemplateProcessing"`},
		"no layout":          {func(f map[string]any) { delete(f, "post_processor") }, ErrNoModel, "a post-processor of type"},
		"no end token":       {set("post_processor", "sep", nil), ErrDamaged, "not a name with an identifier"},
		"a wrong end token":  {set("post_processor", "sep", []any{"</s>", -2}), ErrDamaged, "not a name with an identifier"},
		"no begin token":     {func(f map[string]any) { delete(f["post_processor"].(map[string]any), "cls") }, ErrDamaged, "no cls or no sep"},
		"suffixes":           {set("model", "end_of_word_suffix", "</w>"), ErrNoModel, "end_of_word_suffix"},
		"prefixes":           {set("model", "continuing_subword_prefix", "##"), ErrNoModel, "continuing_subword_prefix"},
		"bytes as a refuge":  {set("model", "byte_fallback", true), ErrNoModel, "byte_fallback"},
		"whole words first":  {set("model", "ignore_merges", true), ErrNoModel, "ignore_merges"},
		"no vocabulary":      {set("model", "vocab", nil), ErrDamaged, "no piece"},
		"a byte is missing":  {func(f map[string]any) { delete(f["model"].(map[string]any)["vocab"].(map[string]int), "Ġ") }, ErrDamaged, `no piece 'Ġ' for the byte 0x20`},
		"merges of nothing":  {set("model", "merges", "a b"), ErrDamaged, "the merges"},
		"half a merge":       {set("model", "merges", []string{"ab"}), ErrDamaged, "which are not both in the vocabulary"},
		"merges of unknowns": {set("model", "merges", []string{"b a"}), ErrDamaged, `"b" and "a"`},
	} {
		file := bytePairFile(t, [2]string{"a", "b"})
		test.change(file)
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseEncoding(text); !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %v: %q", name, err, test.is, test.want)
		}
	}
}

// TestMergesOfBothNotations: files before 2024 have "a b", later ones ["a", "b"].
func TestMergesOfBothNotations(t *testing.T) {
	want := [][2]string{{"a", "b"}, {"Ġ", "\""}}
	for _, text := range []string{`["a b", "Ġ \""]`, `[["a", "b"], ["Ġ", "\""]]`} {
		got, err := parseMerges(json.RawMessage(text))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
	}
}

// TestLayout has the inputs of BERT and RoBERTa, and what is cut of long texts.
func TestLayout(t *testing.T) {
	text := func(id int32, n int) (tokens []token) {
		for range n {
			tokens = append(tokens, token{id: id})
		}
		return tokens
	}
	bert := layout{begin: 101, end: 102, between: 1, second: 1}
	roberta := layout{begin: 0, end: 2, between: 2}
	for _, test := range []struct {
		name      string
		layout    layout
		a, b      int
		ids, kind []uint32
	}{
		{"BERT", bert, 1, 2, []uint32{101, 7, 102, 8, 8, 102}, []uint32{0, 0, 0, 1, 1, 1}},
		{"RoBERTa", roberta, 1, 2, []uint32{0, 7, 2, 2, 8, 8, 2}, make([]uint32, 7)},
		{"nothing in BERT", bert, 0, 0, []uint32{101, 102, 102}, []uint32{0, 0, 1}},
		{"nothing in RoBERTa", roberta, 0, 0, []uint32{0, 2, 2, 2}, make([]uint32, 4)},
		{"BERT, both long", bert, 9, 9, []uint32{101, 7, 7, 7, 102, 8, 8, 8, 8, 102}, []uint32{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}},
		{"RoBERTa, both long", roberta, 9, 9, []uint32{0, 7, 7, 7, 2, 2, 8, 8, 8, 2}, make([]uint32, 10)},
		{"RoBERTa, the first long", roberta, 9, 1, []uint32{0, 7, 7, 7, 7, 7, 2, 2, 8, 2}, make([]uint32, 10)},
		{"RoBERTa, the second long", roberta, 1, 9, []uint32{0, 7, 2, 2, 8, 8, 8, 8, 8, 2}, make([]uint32, 10)},
	} {
		a, b := test.layout.two(text(7, test.a), text(8, test.b), 10)
		if b == nil {
			b = []token{}
		}
		got := test.layout.input(a, b, 1)
		if diff := cmp.Diff(test.ids, got.ids); diff != "" {
			t.Errorf("%s: tokens (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.kind, got.types); diff != "" {
			t.Errorf("%s: types (-want +got):\n%s", test.name, diff)
		}
	}
	if diff := cmp.Diff([]uint32{0, 7, 7, 2}, roberta.input(roberta.one(text(7, 9), 4), nil, 1).ids); diff != "" {
		t.Errorf("one text (-want +got):\n%s", diff)
	}
}

// TestLongestInput: RoBERTa's positions begin behind that of padding.
func TestLongestInput(t *testing.T) {
	for _, test := range []struct {
		config        config
		behindPadding bool
		maxItems      int
		want          int
	}{
		{config{MaxPositions: 514, PadToken: 1}, true, 0, 512},
		{config{MaxPositions: 130, PadToken: 1}, true, 0, 128},
		{config{MaxPositions: 130, PadToken: 1}, false, 0, 130},
		{config{MaxPositions: 130, PadToken: 1}, true, 64, 64},
		{config{MaxPositions: 8194, PadToken: 1}, true, 0, 512},
		{config{}, true, 0, 512},
	} {
		tr := transformer{config: test.config, encoding: encoding{layout: layout{behindPadding: test.behindPadding}, maxItems: test.maxItems}}
		if got := tr.longestInput(); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

func FuzzEncodingFile(f *testing.F) {
	b, err := os.ReadFile("testdata/bytepairs/tokenizer.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"pre_tokenizer": {"type": "ByteLevel"}, "post_processor": {"type": "RobertaProcessing", "cls": ["", 0], "sep": ["", 2]}, "model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "a"]]}}`))
	f.Add([]byte(`{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": {"type": "WordPiece", "vocab": {"[CLS]": 0, "[SEP]": 1}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := parseEncoding(b)
		if err != nil {
			return
		}
		for _, text := range []string{"a ab", "</s>\xff"} {
			for _, token := range e.cut(text) {
				if token.start < 0 || token.end < token.start || int(token.end) > len(text) {
					t.Fatalf("%q: %+v", text, token)
				}
			}
		}
	})
}
