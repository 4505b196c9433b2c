package facts

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

const purgedField = "purged"

// isCommit reports whether s is a full commit hash, of SHA-1 or SHA-256.
func isCommit(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// PurgedKey returns the 40 digits that represent a purged key in the manifest. They
// tell only a reader who knows the key that it was purged.
func PurgedKey(k Key) string { return hex.EncodeToString(DigestOf("purged key", k.String()))[:40] }

// WasPurged reports whether a fact was purged from the key.
func (m Manifest) WasPurged(k Key) bool { return slices.Contains(m.Purged, PurgedKey(k)) }

// AddPurged adds commits and PurgedKeys to the field purged of engram.yml, except
// those that it lists already. Everything else stays the same byte for byte,
// including comments and unknown fields. It fails if the file is written in a form
// that it cannot extend.
func AddPurged(text []byte, commits []string) ([]byte, error) {
	before, err := ParseManifest(text)
	if err != nil {
		return nil, err
	}
	var lacking []string
	for _, c := range commits {
		if !slices.Contains(before.Purged, c) && !slices.Contains(lacking, c) {
			lacking = append(lacking, c)
		}
	}
	if len(lacking) == 0 {
		return text, nil
	}
	root, err := rootMapping(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestPath, err)
	}
	edited := addToList(text, root, lacking)
	after, err := ParseManifest(edited)
	if err != nil {
		return nil, fmt.Errorf("add %s: %w", purgedField, err)
	}
	wanted := before
	wanted.Purged = slices.Concat(lacking, before.Purged)
	if !reflect.DeepEqual(after, wanted) {
		return nil, fmt.Errorf("%s: nothing can be added to %s as it is written; make it a list with a line for each commit", ManifestPath, purgedField)
	}
	return edited, nil
}

// addToList adds items to the list of the field purged:
//
//  1. in front of the first item, if there is one, in the way that it is written;
//  2. else, if there is the field, behind its colon;
//  3. else as a new field at the end.
func addToList(text []byte, root *yaml.Node, items []string) []byte {
	end := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	for i := 0; i < len(root.Content); i += 2 {
		name, list := root.Content[i], root.Content[i+1]
		switch {
		case name.Value != purgedField:
		case len(list.Content) == 0: // [] or nothing at all
			at := offset(text, name.Line, name.Column)
			if colon := bytes.IndexByte(text[at:], ':'); colon >= 0 {
				at += colon + 1
			}
			rest := bytes.TrimPrefix(bytes.TrimLeft(text[at:], " "), []byte("[]"))
			return slices.Concat(text[:at], []byte(" ["+strings.Join(items, ", ")+"]"), rest)
		case list.Style&yaml.FlowStyle != 0:
			at := offset(text, list.Content[0].Line, list.Content[0].Column)
			return slices.Concat(text[:at], []byte(strings.Join(items, ", ")+", "), text[at:])
		default:
			dash := strings.Repeat(" ", list.Column-1) + "- "
			at := offset(text, list.Content[0].Line, 1)
			return slices.Concat(text[:at], []byte(dash+strings.Join(items, end+dash)+end), text[at:])
		}
	}
	field := purgedField + ":" + end + "  - " + strings.Join(items, end+"  - ") + end
	if len(text) > 0 && text[len(text)-1] != '\n' {
		field = end + field
	}
	return slices.Concat(text, []byte(field))
}

// offset returns the byte at which a line and a column begin, both counted from 1. The
// text before a list of commits is ASCII, so columns are bytes.
func offset(text []byte, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	return min(at+column-1, len(text))
}
