// Package scrub takes out of one line of a transcript what must not be stored:
// secrets, and payloads that nobody can read again. All else keeps its bytes. It
// is pure: what a secret is, the caller's Redactor knows.
package scrub

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/session"
)

// Redactor replaces the secrets in a text and names the rule of each.
type Redactor interface {
	Redact(text string) (clean string, rules []string)
}

// Options say what is taken out besides secrets.
type Options struct {
	// Unreadable is the number of bytes above which a string of base64 characters
	// alone is omitted, if no media type stands beside it; 0 means 4 KiB.
	Unreadable int
	// Any gives the redactor also texts and keys that are too short for a secret, and
	// omits nothing: for a redactor that knows what it looks for.
	Any bool
}

// Result is a clean line and what was taken out of it.
type Result struct {
	Raw      []byte // the line that Line was given, if nothing was found
	Redacted []session.Redaction
	Omitted  []session.Omission
}

// maxPasses bounds how often a line is looked at again after a change.
const maxPasses = 4

// Line scrubs one line. Of JSON, each string is looked at by itself and, where its
// key says that it may be a secret, together with the key; the texts of an array also
// as if they were one. Strings that do not change keep their bytes. Any other text is
// redacted as it is. Scrubbing the
// result again changes nothing. A nil *Options means the defaults.
func Line(raw []byte, r Redactor, o *Options) Result {
	s := scrubber{redactor: r, unreadable: 4 << 10, counts: make(map[string]int)}
	if o != nil {
		s.unreadable, s.any = cmp.Or(o.Unreadable, s.unreadable), o.Any
	}
	for range maxPasses {
		clean, changed := s.pass(raw)
		if !changed {
			break
		}
		raw = clean
	}
	result := Result{Raw: raw, Omitted: s.omitted}
	for _, rule := range slices.SortedFunc(maps.Keys(s.counts), cmp.Compare[string]) {
		result.Redacted = append(result.Redacted, session.Redaction{Rule: rule, Count: s.counts[rule]})
	}
	return result
}

type scrubber struct {
	redactor   Redactor
	unreadable int
	any        bool
	counts     map[string]int
	omitted    []session.Omission
}

func (s *scrubber) pass(raw []byte) (clean []byte, changed bool) {
	if !json.Valid(raw) {
		text := string(raw)
		fresh, rules := s.redactor.Redact(text)
		s.count(rules)
		return []byte(fresh), fresh != text
	}
	strs, objects := parse(raw)
	done := 0
	for _, str := range strs {
		var text string
		if str.isKey || str.object < 0 {
			text, changed = s.text(str, nil, str.decode(raw))
		} else {
			text, changed = s.text(str, &objects[str.object], str.decode(raw))
		}
		if changed {
			clean = append(clean, raw[done:str.start]...)
			clean = appendString(clean, text)
			done = str.end
		}
	}
	if done == 0 {
		return s.across(raw, strs, objects)
	}
	return append(clean, raw[done:]...), true
}

// text scrubs one decoded string of the line. The object is the one of which it is
// a direct member, nil for keys and elements of arrays.
func (s *scrubber) text(str str, object *object, text string) (clean string, changed bool) {
	if s.any {
		return s.redact(text, "")
	}
	if str.isKey {
		if len(text) < minKey {
			return text, false
		}
		return s.redact(text, "")
	}
	if len(text) >= minPayload && isPayload(text) {
		media := object != nil && object.media
		switch {
		case media && !object.readable:
			return text, false
		case media: // a text in base64: the redactor decodes it
		case isSealed(str.key, object), len(text) > s.unreadable:
			s.omitted = append(s.omitted, session.Omission{Field: str.key, Bytes: len(text)})
			return fmt.Sprintf("[omitted: %d bytes]", len(text)), true
		}
	}
	if isDataURL(text) {
		return text, false
	}
	name := str.key
	if object != nil && object.name != "" && strings.EqualFold(name, "value") {
		name = object.name
	}
	return s.redact(text, name)
}

const (
	minPayload = 64 // a shorter payload is kept
	minKey     = 16 // no shorter key is a secret by itself
	minText    = 8  // nor any shorter text
	maxName    = 100
)

// redact replaces the secrets in a text: those that show by themselves, or else
// those that the name of the text gives away.
func (s *scrubber) redact(text, name string) (clean string, changed bool) {
	if len(text) < minText && !s.any {
		return text, false
	}
	clean, rules := s.redactor.Redact(text)
	if len(rules) == 0 && len(name) <= maxName && saysSecret(name) {
		label := name + ": "
		var labelled string
		if labelled, rules = s.redactor.Redact(label + text); len(rules) > 0 {
			var ok bool
			if clean, ok = strings.CutPrefix(labelled, label); !ok {
				clean = "[redacted: " + rules[0] + "]"
			} else if clean == text { // the name alone is one
				return text, false
			}
		}
	}
	s.count(rules)
	return clean, clean != text
}

func (s *scrubber) count(rules []string) {
	for _, rule := range rules {
		s.counts[rule]++
	}
}

// saysSecret reports whether a name is one that secrets have.
func saysSecret(name string) bool {
	lower := strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "secret", "passw", "pwd", "cred", "auth", "access", "api"}, func(word string) bool {
		return strings.Contains(lower, word)
	})
}

// isSealed reports whether a field holds what only a model's provider can read.
func isSealed(key string, object *object) bool {
	switch key {
	case "signature", "encrypted_content", "thoughtSignature", "thought_signature":
		return true
	}
	return key == "data" && object != nil && object.redacted
}

// isPayload reports whether a text has base64 characters alone.
func isPayload(text string) bool {
	for i := range len(text) {
		if !payload[text[i]] {
			return false
		}
	}
	return true
}

var payload = func() (set [256]bool) {
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=" {
		set[c] = true
	}
	return set
}()

// isDataURL reports whether a text is a data: URL of an image, sound or document.
func isDataURL(text string) bool {
	if !strings.HasPrefix(text, "data:") {
		return false
	}
	head, body, ok := strings.Cut(text[:min(len(text), 200)], ";base64,")
	media := strings.TrimPrefix(head, "data:")
	return ok && isMedia(media) && isPayload(body) && isPayload(text[len(head)+len(";base64,"):])
}

// isMedia reports whether a media type is one of images, sounds or documents,
// which are kept and not scanned.
func isMedia(media string) bool {
	kind, name, _ := strings.Cut(strings.ToLower(media), "/")
	switch kind {
	case "image":
		return !strings.HasPrefix(name, "svg")
	case "audio", "video", "font":
		return true
	case "application":
		return slices.ContainsFunc([]string{"pdf", "msword", "epub", "vnd.openxmlformats", "vnd.oasis", "vnd.ms-"}, func(document string) bool {
			return strings.HasPrefix(name, document)
		})
	}
	return false
}
