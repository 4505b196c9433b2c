package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// piece is an entry of a vocabulary.
type piece struct {
	text string
	id   int32
}

// cutMark replaces the vocabulary.
const cutMark = "0"

// cutVocabulary extracts the vocabulary, {"piece": identifier, …}, which is nearly all of a
// tokenizer.json, and leaves the rest to encoding/json, which would take seven times as
// long for 30,000 pieces.
func cutVocabulary(b []byte) (rest []byte, vocabulary []piece, err error) {
	const key = `"vocab"`
	for from := 0; ; {
		at := bytes.Index(b[from:], []byte(key))
		if at < 0 {
			return b, nil, nil
		}
		from += at + len(key)
		after, ok := bytes.CutPrefix(bytes.TrimLeft(b[from:], blanks), []byte(":"))
		if after = bytes.TrimLeft(after, blanks); !ok || len(after) == 0 || after[0] != '{' {
			continue // a value, or a piece of that name
		}
		vocabulary, end, err := parsePieces(string(after)) // the pieces share the memory of this string
		if err != nil {
			return nil, nil, fmt.Errorf("the vocabulary: %w", err)
		}
		return bytes.Join([][]byte{b[:len(b)-len(after)], []byte(cutMark), after[len(after)-len(end):]}, nil), vocabulary, nil
	}
}

// parsePieces reads an object of whole numbers. rest is what comes after it.
func parsePieces(text string) (list []piece, rest string, err error) {
	rest = trim(text[1:])
	if strings.HasPrefix(rest, "}") {
		return nil, rest[1:], nil
	}
	list = make([]piece, 0, len(text)/16)
	for {
		var p piece
		if p.text, rest, err = cutString(rest); err != nil {
			return nil, "", err
		}
		after, ok := strings.CutPrefix(trim(rest), ":")
		if p.id, rest, err = cutNumber(trim(after)); err != nil || !ok {
			return nil, "", fmt.Errorf("the identifier of %.40q is not a whole number of at least 0", p.text)
		}
		list, rest = append(list, p), trim(rest)
		switch {
		case strings.HasPrefix(rest, "}"):
			return list, rest[1:], nil
		case strings.HasPrefix(rest, ","):
			rest = trim(rest[1:])
		default:
			return nil, "", fmt.Errorf("the identifier of %.40q is not a whole number of at least 0, or the file is cut short", p.text)
		}
	}
}

// blanks are the white space of JSON.
const blanks = " \t\r\n"

func trim(s string) string {
	if s == "" || s[0] > ' ' {
		return s
	}
	return strings.TrimLeft(s, blanks)
}

// cutNumber reads the digits at the beginning of a text.
func cutNumber(text string) (n int32, rest string, err error) {
	sum, digits := int64(0), 0
	for ; digits < len(text) && text[digits] >= '0' && text[digits] <= '9' && sum <= math.MaxInt32; digits++ {
		sum = 10*sum + int64(text[digits]-'0')
	}
	if digits == 0 || sum > math.MaxInt32 {
		return 0, "", errors.New("not a number")
	}
	return int32(sum), text[digits:], nil
}

// cutString reads the JSON string at the beginning of a text.
func cutString(text string) (value, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		return "", "", errors.New("a piece is not a string, or the file is cut short")
	}
	escaped := false
	for end := 1; end < len(text); end++ {
		switch text[end] {
		case '\\':
			escaped = true
			end++
		case '"':
			if !escaped {
				return text[1:end], text[end+1:], nil
			}
			value, err = unescape(text[:end+1])
			return value, text[end+1:], err
		}
	}
	return "", "", errors.New("the file is cut short")
}

func unescape(quoted string) (value string, err error) {
	err = json.Unmarshal([]byte(quoted), &value)
	return value, err
}
