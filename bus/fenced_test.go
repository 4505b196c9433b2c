package bus_test

import (
	"strings"
	"testing"

	"engram/bus"
)

const fencedChild = "ROLE: programmer\nTASK_STATUS: done\nENGRAMS: []\nOUTPUT:\n  summary: Nothing found.\n"

// TestFencedMessage: what is wrong with a message between prose is the prose, and the
// message itself is what to send.
func TestFencedMessage(t *testing.T) {
	for name, text := range map[string]string{
		"before and after": "Here is my report:\n\n```yaml\n" + fencedChild + "```\n\nTell me if you need more.\n",
		"before":           "I am done.\n```\n" + fencedChild + "```",
		"no end":           "Report: it follows\n```yaml\n" + fencedChild,
		"waves":            "So:\n~~~yml\n" + fencedChild + "~~~\n",
		"a second fence":   "I ran:\n```sh\ngo test ./...\n```\nReport:\n```yaml\n" + fencedChild + "```\n",
	} {
		v := bus.Check([]byte(text), bus.Limits{}, bus.Allowance{})
		if v.OK || v.Code != bus.Invalid || v.Refusals[0].Code != bus.Invalid || !strings.Contains(v.Refusals[0].Reason, "outside the fence") || v.Resend != fencedChild {
			t.Errorf("%s: %+v", name, v)
		}
		if again := bus.Check([]byte(v.Resend), bus.Limits{}, bus.Allowance{}); !again.OK {
			t.Errorf("%s: sent again: %+v", name, again)
		}
	}
	v := bus.Check([]byte("```yaml\n"+fencedChild+"```\n"), bus.Limits{}, bus.Allowance{})
	if v.OK || strings.Contains(v.Refusals[0].Reason, "outside") || v.Resend != fencedChild {
		t.Errorf("nothing beside it: %+v", v)
	}
	long := strings.Replace(fencedChild, "Nothing found.", strings.Repeat("There is more to say. ", 300), 1)
	v = bus.Check([]byte("So:\n```yaml\n"+long+"```\n"), bus.Limits{}, bus.Allowance{})
	if len(v.Refusals) < 2 || v.Refusals[1].Code != bus.BudgetExceeded || v.Resend == "" || !bus.Check([]byte(v.Resend), bus.Limits{}, bus.Allowance{}).OK {
		t.Errorf("too long: %+v", v)
	}
	for _, text := range []string{"", "```\n", "```\n```", "```yaml\nfoo: bar\n```\n", "x\n```\n\n```", "```x```", "All done.", strings.Repeat("```\n", 100)} {
		if v := bus.Check([]byte(text), bus.Limits{}, bus.Allowance{}); v.OK || strings.Contains(v.Refusals[0].Reason, "fence") {
			t.Errorf("%q: %+v", text, v)
		}
	}
}
