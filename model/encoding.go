package model

import "fmt"

// encoding is the tokenizer of a transformer: it splits a text into tokens, and joins texts
// into an input.
type encoding struct {
	cut      func(text string) []token // without special ones
	layout   layout
	highest  int32 // identifier
	maxItems int   // tokens of an input; 0 if unknown
}

// layout says which tokens are around one text, and around and between two:
//
//	BERT     [CLS] a [SEP]  and  [CLS] a [SEP] b [SEP], where b is of type 1
//	RoBERTa  <s> a </s>     and  <s> a </s></s> b </s>, all of type 0
type layout struct {
	begin, end int32
	between    int    // the number of end tokens between two texts
	second     uint32 // the type of the second text
	// behindPadding: positions are counted from after the identifier of padding, as in
	// RoBERTa, so that the model accepts fewer tokens.
	behindPadding bool
}

// parseEncoding reads the tokenizer.json of a transformer: WordPiece in BERT's form, or
// byte-level BPE in RoBERTa's.
func parseEncoding(b []byte) (encoding, error) {
	file, vocabulary, err := parseTokenizerJSON(b)
	if err != nil {
		return encoding{}, err
	}
	e := encoding{maxItems: file.maxItems()}
	switch file.Model.Type {
	case "WordPiece":
		var t *tokenizer
		if t, err = file.wordPiece(vocabulary); err != nil {
			return encoding{}, err
		}
		e.cut, e.highest = t.cut, t.highest
		e.layout, err = t.bertLayout()
	case "BPE":
		var t *bytePairs
		if t, e.layout, err = file.bytePairs(vocabulary); err != nil {
			return encoding{}, err
		}
		e.cut, e.highest = t.encode, t.highest
	default:
		err = fmt.Errorf("%w: a model of type %q; engram reads WordPiece as BERT has it, and byte-level BPE as RoBERTa has it", ErrNoModel, file.Model.Type)
	}
	return e, err
}

// cut is encode for a single text.
func (t *tokenizer) cut(text string) []token {
	var p pieces
	return t.encode(&p, text)
}

// bertLayout finds the special tokens of BERT.
func (t *tokenizer) bertLayout() (layout, error) {
	l := layout{between: 1, second: 1}
	for name, id := range map[string]*int32{"[CLS]": &l.begin, "[SEP]": &l.end} {
		known := false
		if *id, known = t.words[name]; !known {
			return l, fmt.Errorf("%w: the vocabulary has no %s", ErrDamaged, name)
		}
	}
	return l, nil
}

// one cuts a text's tokens to those that fit into an input of at most most tokens.
func (l layout) one(tokens []token, most int) []token {
	return tokens[:min(len(tokens), most-2)]
}

// two cuts the tokens of two texts until they fit together into an input of at most most
// tokens, the longer one first.
func (l layout) two(a, b []token, most int) ([]token, []token) {
	room := most - 2 - l.between
	if len(a)+len(b) <= room {
		return a, b
	}
	half := room / 2
	switch {
	case len(a) <= half:
		return a, b[:room-len(a)]
	case len(b) <= room-half:
		return a[:room-len(b)], b
	}
	return a[:half], b[:room-half]
}

// input is the input of a graph.
type input struct{ ids, types []uint32 }

// input adds the special tokens to one text, or to two if b is not nil. pad replaces a
// token that the vocabulary does not have.
func (l layout) input(a, b []token, pad int) input {
	var in input
	add := func(id int32, kind uint32) {
		if id < 0 {
			id = int32(pad)
		}
		in.ids, in.types = append(in.ids, uint32(id)), append(in.types, kind)
	}
	add(l.begin, 0)
	for _, token := range a {
		add(token.id, 0)
	}
	add(l.end, 0)
	if b != nil {
		for range l.between - 1 {
			add(l.end, 0)
		}
		for _, token := range b {
			add(token.id, l.second)
		}
		add(l.end, l.second)
	}
	return in
}
