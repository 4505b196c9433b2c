package memory_test

import (
	"fmt"
	"testing"

	"engram/bus"
	"engram/memory"
)

// TestClassifyBadMessages: bad input is wrong usage, whoever reads it, and no failure.
func TestClassifyBadMessages(t *testing.T) {
	for _, text := range []string{"", "I am done.", "ROLE: x", "ROLE: [", "a: &b c", "{}", "\x00", "ROLE: x\nROLE: y", "SHARED_BRIEF_MICRO: []"} {
		_, err := bus.ParseChild([]byte(text))
		if code, hint := classified(fmt.Errorf("a message: %w", err)); err == nil || code != memory.CodeUsage || hint == "" {
			t.Errorf("%q: %v is %s, %q", text, err, code, hint)
		}
	}
	if code, hint := classified(bus.Grant{}.Check()); code != memory.CodeUsage || hint == "" {
		t.Errorf("a grant of nothing is %s, %q", code, hint)
	}
}
