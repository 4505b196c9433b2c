package bus

import "strings"

// fencedMessage returns the first message in a Markdown fence of a text that is not a
// message itself: models often write one. alone reports whether there is no text outside
// the fence.
func fencedMessage(text string) (inner string, alone, found bool) {
	if len(text) > MaxMessage {
		return "", false, false
	}
	lines := linesOf(text)
	for i := 0; i < len(lines); i++ {
		mark := fenceMark(lines[i].text)
		if mark == "" {
			continue
		}
		end := fenceEnd(lines, i, mark)
		last := end - 1 // the closing line
		if last > i && fenceMark(lines[last].text) == "" {
			last = end // the fence is not closed
		}
		if end > i+1 {
			from, to := lines[i].end()+1, lines[last-1].end()
			if from <= to {
				if m, _ := read([]byte(text[from:to] + "\n")); m.Form != "" {
					beside := text[:lines[i].start] + text[min(lines[end-1].end(), len(text)):]
					return strings.TrimRight(text[from:to], "\n") + "\n", strings.TrimSpace(beside) == "", true
				}
			}
		}
		i = end - 1
	}
	return "", false, false
}

// judgeFenced is Check for a text with a message in a fence: the text is rejected, and
// Resend is the message in a form that complies.
func judgeFenced(inner string, alone bool, limits Limits, allow Allowance) Verdict {
	v := Check([]byte(inner), limits, allow)
	resend := v.Resend
	if v.OK {
		resend = inner
	}
	reason := "there is text outside the fence that holds the message: send only the message"
	if alone {
		reason = "the message is inside a Markdown fence: send it without the fence"
	}
	v.Refusals = append([]Refusal{{Code: Invalid, Reason: reason}}, v.Refusals...)
	v.OK, v.Code, v.Resend = false, Invalid, resend
	return v
}
