package session

import (
	"fmt"
	"strings"

	"engram/facts"
)

// MaxMarker is the most tokens that a marker has (source document 5, §4.3).
const MaxMarker = 60

// Marker stands in a context window for a span of turns that was evicted.
type Marker struct {
	First  int      `json:"first_turn"`
	Last   int      `json:"last_turn"`
	Topics []string `json:"topics"` // most telling first
	Level  int      `json:"level"`  // 0: of one span; each merge of two is one level higher
}

// String is the fixed sentence of source document 5, §4.3, with as many of the topics as
// fit into MaxMarker tokens.
func (m Marker) String() string {
	for n := len(m.Topics); ; n-- {
		text := m.sentence(m.Topics[:n])
		if n == 0 || facts.Tokens(text) <= MaxMarker {
			return text
		}
	}
}

func (m Marker) sentence(topics []string) string {
	about := ""
	if len(topics) > 0 {
		about = "Key topics: " + strings.Join(topics, ", ") + ". "
	}
	return fmt.Sprintf("[Events T%d–T%d evicted. %sUse recall(query) to retrieve details.]", m.First, m.Last, about)
}
