package terms

// IsStopWord reports the English words that say nothing about a text, and what
// a split at an apostrophe leaves of a contraction.
func IsStopWord(s string) bool {
	switch s {
	case "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do", "does",
		"for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "into", "is", "it", "its",
		"me", "my", "no", "not", "of", "on", "or", "our", "she", "should", "so", "such", "than", "that", "the",
		"their", "them", "then", "there", "these", "they", "this", "those", "to", "was", "we", "were",
		"what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
		"don", "ll", "re", "s", "t", "ve":
		return true
	}
	return false
}
