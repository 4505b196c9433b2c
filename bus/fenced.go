package bus

import "strings"

// fencedMessage is the message that stands in a fence of Markdown, as models like to
// write it, in a text that is none itself; alone is whether nothing stands beside the
// fence. Of several fences, the first that holds a message counts.
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
		last := end - 1 // the line that closes it
		if last > i && fenceMark(lines[last].text) == "" {
			last = end // nothing closes it
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

// judgeFenced is Check of a text that holds a message in a fence: it is refused for
// that first, and offered the message, in a form that complies.
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
