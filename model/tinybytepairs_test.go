package model_test

import (
	"encoding/json"
	"slices"
)

// tinyBytePairs is a tokenizer.json of RoBERTa's kind, and the pieces that it has,
// by identifier: special tokens, all bytes, and the words with all that they
// begin with. Of two words that begin alike, and of " word" and "word", both
// become one token; a word in the middle of another may not.
func tinyBytePairs(words []string) (pieces []string, file []byte, err error) {
	pieces = []string{"<s>", "<pad>", "</s>", "<unk>"}
	var names [256]string
	vocabulary := map[string]int{}
	for id, piece := range pieces {
		vocabulary[piece] = id
	}
	add := func(piece, name string) {
		if _, known := vocabulary[name]; !known {
			vocabulary[name] = len(pieces)
			pieces = append(pieces, piece)
		}
	}
	for b := range names {
		names[b] = byteName(b)
		add(string([]byte{byte(b)}), names[b])
	}
	merges := [][2]string{}
	for _, word := range words {
		if slices.Contains(pieces, word) {
			continue // a special token, or one byte
		}
		whole := names[word[0]]
		for i := 1; i < len(word); i++ {
			merges = append(merges, [2]string{whole, names[word[i]]})
			whole += names[word[i]]
			add(word[:i+1], whole)
		}
	}
	file, err = json.Marshal(map[string]any{
		"normalizer":     nil,
		"pre_tokenizer":  map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true},
		"post_processor": map[string]any{"type": "RobertaProcessing", "sep": []any{"</s>", 2}, "cls": []any{"<s>", 0}, "trim_offsets": true, "add_prefix_space": false},
		"model":          map[string]any{"type": "BPE", "unk_token": nil, "continuing_subword_prefix": "", "end_of_word_suffix": "", "vocab": vocabulary, "merges": merges},
	})
	return pieces, file, err
}

// byteName is how byte-level vocabularies write a byte.
func byteName(b int) string {
	switch {
	case b <= ' ':
		return string(rune(256 + b))
	case b >= 0x7f && b <= 0xa0:
		return string(rune(256 + 33 + b - 0x7f))
	case b == 0xad:
		return string(rune(256 + 33 + 34))
	}
	return string(rune(b))
}
