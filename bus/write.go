package bus

import (
	"strconv"
	"strings"
	"unicode"
)

// YAML returns the message in canonical form: fields in the order of the form, one way to
// write each value, a pointer on one line. It round-trips through Read.
func (m ChildMessage) YAML() string { return yamlOf(m.fields()) }

// YAML returns the message in canonical form, as ChildMessage.YAML does.
func (m ParentMessage) YAML() string { return yamlOf(m.fields()) }

// YAML returns the message in canonical form, or "" if it has no form.
func (m Message) YAML() string { return yamlOf(m.fields()) }

func yamlOf(fields []field) string {
	var w writer
	w.fields("", fields)
	return w.String()
}

type writer struct{ strings.Builder }

func (w *writer) line(text string) { w.WriteString(text + "\n") }

// fields writes each field on a line or more. Optional fields without a value are omitted.
func (w *writer) fields(indent string, fields []field) {
	for _, f := range fields {
		if f.required || !f.value.empty() {
			w.field(indent, f)
		}
	}
}

// field writes a name and a value: in block style below the name, unless the value is in
// flow style, empty or a scalar.
func (w *writer) field(indent string, f field) {
	switch v := f.value.(type) {
	case mapping:
		if !v.flow {
			w.line(indent + f.name + ":")
			w.fields(indent+"  ", v.fields())
			return
		}
	case list:
		if !v.flow && !v.empty() {
			w.line(indent + f.name + ":")
			w.items(indent, v)
			return
		}
	}
	if text := f.value.inline(false); text != "" {
		w.line(indent + f.name + ": " + text)
	}
}

func (w *writer) items(indent string, l list) {
	for i := range l.length() {
		m, ok := l.at(i).(mapping)
		if !ok || m.flow {
			w.line(indent + "  - " + l.at(i).inline(false))
			continue
		}
		var block writer
		block.fields(indent+"    ", m.fields())
		w.WriteString(indent + "  - " + strings.TrimLeft(block.String(), " "))
	}
}

// inFlow writes a word as it is and anything else in quotes. YAML reads what Go escapes
// the same way.
func inFlow(s string) string {
	if scalar(s) == s && !strings.ContainsFunc(s, func(r rune) bool { return !wordRune(r) }) {
		return s
	}
	return strconv.Quote(s)
}

func wordRune(r rune) bool {
	return strings.ContainsRune("-_./", r) || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// scalar writes a text without quotes if every YAML reader reads it as that text.
func scalar(s string) string {
	if isPlain(s) {
		return s
	}
	return strconv.Quote(s)
}

// isPlain reports whether a text begins with a letter, is one line, looks neither like a
// field nor like a comment, and is not a word that stands for a value.
func isPlain(s string) bool {
	if s == "" || s[0] > unicode.MaxASCII || !unicode.IsLetter(rune(s[0])) {
		return false
	}
	if strings.HasSuffix(s, " ") || strings.HasSuffix(s, ":") || strings.Contains(s, ": ") || strings.Contains(s, " #") {
		return false
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) || r == '\ufffd' })
}
