package bus

// Text is a text of a message and its path.
type Text struct {
	Path  string // such as OUTPUT.summary
	Value string
}

// Texts lists the texts and references of a message, without the tokens of grants. If
// text is not a message, Texts returns text itself.
func Texts(text []byte) []Text {
	m, _ := read(text)
	if m.Form == "" {
		return []Text{{"the message", string(text)}}
	}
	var all []Text
	for _, t := range m.texts() {
		if t.most != maxToken {
			all = append(all, Text{t.path, *t.value})
		}
	}
	for _, p := range m.pointers() {
		all = append(all, Text{p.path + ".ref", p.Ref}, Text{p.path + ".span", p.Span})
	}
	return append(all, Text{commentsPath, m.comments})
}
