package setup

import (
	"encoding/json"
	"fmt"
	"strings"
)

// field is a member of an object to be written; objects keep their order.
type field struct {
	name  string
	value any // string, bool, int, []string, []any, object
}

type object []field

// layout is the style of a text, so that additions look like it.
type layout struct {
	unit    string // of indentation
	newline string
	inline  bool // the text is one line
}

func layoutOf(text string, root *node) layout {
	l := layout{unit: "  ", newline: newlineOf(text)}
	body := strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark))
	l.inline = !strings.Contains(body, "\n") && len(root.items) > 0
	if len(root.items) > 0 && !l.inline {
		if own := indentOf(text, root.items[0].start); own != "" {
			l.unit = own
		}
	}
	return l
}

func newlineOf(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentOf returns the indentation of the line at a position.
func indentOf(text string, at int) string {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	line = strings.TrimPrefix(line, byteOrderMark)
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// render writes a value. A list of strings is written on one line, as is usual.
func (l layout) render(v any, indent string) string {
	inner := indent + l.unit
	switch v := v.(type) {
	case object:
		parts := make([]string, len(v))
		for i, f := range v {
			parts[i] = quote(f.name) + ": " + l.render(f.value, inner)
		}
		return l.wrapped("{", parts, "}", indent)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = l.render(e, inner)
		}
		return l.wrapped("[", parts, "]", indent)
	case []string:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = quote(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return quote(v)
	}
	return fmt.Sprint(v)
}

func (l layout) wrapped(open string, parts []string, closing, indent string) string {
	if l.inline || len(parts) == 0 {
		return open + strings.Join(parts, ", ") + closing
	}
	line := l.newline + indent + l.unit
	return open + line + strings.Join(parts, ","+line) + l.newline + indent + closing
}

// quote writes a string as JSON, which is also TOML, without escaping < > &.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string has no errors
	return strings.TrimSuffix(b.String(), "\n")
}

// add appends an item to an object or array.
func (l layout) add(text string, in *node, name string, v any) string {
	last := in.end - 1 // after the last item, comments included
	for last > in.start+1 && strings.IndexByte(" \t\r\n", text[last-1]) >= 0 {
		last--
	}
	indent := indentOf(text, in.start)
	own, several := indent+l.unit, !l.inline
	if n := len(in.items); n > 0 {
		several = strings.Contains(text[in.start:in.items[0].start], "\n") || strings.Contains(text[in.items[n-1].value.end:last], "\n")
		if several {
			own = indentOf(text, in.items[0].start)
		}
	}
	several = several || endsInLineComment(text[in.start:last])
	lead := ""
	if name != "" {
		lead = quote(name) + ": "
	}
	if !several {
		flat := l
		flat.inline = true
		entry := lead + flat.render(v, "")
		if len(in.items) == 0 {
			return text[:last] + entry + text[last:]
		}
		return l.joined(text, in, last, " "+entry)
	}
	entry := l.newline + own + lead + l.render(v, own)
	if !strings.Contains(text[last:in.end], "\n") {
		entry += l.newline + indent // the bracket gets a line of its own
	}
	if len(in.items) == 0 {
		return text[:last] + entry + text[last:]
	}
	return l.joined(text, in, last, entry)
}

// joined inserts an entry at a position, with a comma after the previous item, or after the
// entry itself if the text has trailing commas.
func (l layout) joined(text string, in *node, at int, entry string) string {
	before := in.items[len(in.items)-1]
	if before.comma < 0 {
		return text[:before.value.end] + "," + text[before.value.end:at] + entry + text[at:]
	}
	body := strings.TrimRight(entry, " \t\r\n")
	return text[:at] + body + "," + entry[len(body):] + text[at:]
}

// drop removes the i-th item of an object or array, with its comma and the space before it.
func drop(text string, in *node, i int) string {
	it := in.items[i]
	start := it.start
	for start > in.start+1 && strings.IndexByte(" \t\r\n", text[start-1]) >= 0 {
		start--
	}
	end := it.value.end
	if it.comma >= 0 {
		if strings.TrimSpace(text[end:it.comma]) == "" {
			end = it.comma + 1
		} else { // a comment between them stays
			text = text[:it.comma] + " " + text[it.comma+1:]
		}
	}
	kept := text[:start]
	if endsInLineComment(text[in.start:start]) && !endsLine(text[end:]) { // the text after it must not become part of the comment
		kept = text[:start] + text[start:start+strings.IndexByte(text[start:it.start], '\n')+1]
	}
	rest := text[end:]
	if i > 0 && it.comma < 0 { // the item before is the last one now
		comma := in.items[i-1].comma
		kept = kept[:comma] + kept[comma+1:]
	}
	result := kept + rest
	end = in.end - (len(text) - len(result))
	if len(in.items) == 1 && strings.TrimSpace(result[in.start+1:end-1]) == "" {
		return result[:in.start+1] + result[end-1:]
	}
	return result
}

// endsLine reports whether the rest of the first line is white space.
func endsLine(text string) bool {
	n := lineLength(text)
	return n < len(text) && strings.TrimSpace(text[:n]) == ""
}

func endsInLineComment(text string) bool {
	s := &jsonScanner{text: text}
	for s.pos < len(text) {
		switch rest := text[s.pos:]; {
		case strings.HasPrefix(rest, "//"):
			s.pos += lineLength(rest)
			if s.pos == len(text) {
				return true
			}
		case strings.HasPrefix(rest, "/*"):
			if s.space() != nil {
				return false
			}
		case rest[0] == '"':
			if _, err := s.quoted(); err != nil {
				return false
			}
		default:
			s.pos++
		}
	}
	return false
}
