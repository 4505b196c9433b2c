package transcript

import (
	"slices"
	"testing"
)

// TestMarksInShellOutput: commits and facts are found in what tools print, also behind the words
// that Gemini CLI writes before the first line; a text that only talks of them names none.
func TestMarksInShellOutput(t *testing.T) {
	const fact = "domain/tax/rounding\tadd\t01KFA6D3VATDZ6K4RTZVB16H61\t1a2b3c4d"
	for _, tt := range []struct {
		text           string
		commits, facts []string
	}{
		{"[main 1a2b3c4] Round half up\n 1 file changed\n", []string{"1a2b3c4"}, nil},
		{"Output: [main 1a2b3c4] Round half up\n 1 file changed\nExit Code: 0", []string{"1a2b3c4"}, nil},
		{"Output: one line\n[fix/tax (root-commit) 1a2b3c4d5e] Begin\n", []string{"1a2b3c4d5e"}, nil},
		{`{"output":"Output: [main 1a2b3c4] Round\n[main 5d6e7f8] Again\n","metadata":{}}`, []string{"1a2b3c4", "5d6e7f8"}, nil},
		{"Output: [main 1a2b3c4]", nil, nil},
		{"Output:[main 1a2b3c4] Round\n", nil, nil},
		{"The output: [main 1a2b3c4] Round\n", nil, nil},
		{"Outputs: Output: [main 1a2b3c4] Round\n", nil, nil},
		{fact + "\n", nil, []string{"domain/tax/rounding"}},
		{"Output: " + fact + "\nExit Code: 0", nil, []string{"domain/tax/rounding"}},
		{"Said: " + fact + "\n", nil, nil},
	} {
		if got := commits(tt.text); !slices.Equal(got, tt.commits) {
			t.Errorf("%q: commits %q, want %q", tt.text, got, tt.commits)
		}
		if got := factKeys(tt.text); !slices.Equal(got, tt.facts) {
			t.Errorf("%q: facts %q, want %q", tt.text, got, tt.facts)
		}
	}
}
