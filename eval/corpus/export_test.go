package corpus

// ReadTranscript reads JSON lines: the messages, and how many lines are damaged.
func ReadTranscript(lines string) ([]string, int) {
	var t Transcript
	t.readLines([]byte(lines))
	return t.Messages, t.Damaged
}
