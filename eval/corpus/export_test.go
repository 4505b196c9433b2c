package corpus

import (
	"strings"
)

// ReadTranscript reads JSON lines: the messages, and how many lines are damaged.
func ReadTranscript(lines string) ([]string, int, error) {
	var t Transcript
	err := t.readLines(strings.NewReader(lines))
	return t.Messages, t.Damaged, err
}
