package views

import (
	"strings"
	"unicode"

	"engram/facts"
	"engram/internal/lazyregexp"
	"engram/session"
)

// What people and agents say when they decide, and when they learn. The list is of English,
// and meant to be precise rather than complete: a view is an index, and what it lacks is
// found by its words.
var (
	decisionRE = lazyregexp.New(`(?i)\b(we|i|let'?s|team)( have| ha[sd]|'ve|'ll| will)? (decided|decide|chose|choose|opted|settled on|agreed|go(ing)? with|went with|stick(ing)? (with|to)|picked)\b` +
		`|\b(decision|rationale|trade-?off)\s*[:—–-]|\bchose \w+.{0,40} over \b|\b(instead of|rather than) .{3,80}\bbecause\b|\bbecause\b.{3,120}\b(instead of|rather than)\b` +
		`|\b(i|we|you|let'?s)('ll| will| should| must)? (use|keep|switch to|move to|avoid|drop|replace)\b.{3,160}\b(because|since|so that|instead|rather)\b`)
	// wishRE is for people: what they tell an agent to do in general.
	wishRE   = lazyregexp.New(`(?i)\b(we|you|it|i)( really| think we)? (should(n'?t| not)?|must(n'?t| not)?|need to|don'?t want|never|always|(would )?rather|prefer)\b|\b(must|should|may) (never|always|not)\b|^(please )?(never|always|don'?t|do not|no,)\b`)
	lessonRE = lazyregexp.New(`(?i)\b(root cause|turns? out|the (real |actual |underlying )?(issue|problem|bug|cause|reason|culprit) (was|is)|the fix (was|is)|lesson learn(ed|t)|gotcha|for next time|(should|must) (always|never)|note to self|important(ly)?:)`)
)

// call is what is kept of a call of a tool until its result is there.
type call struct{ tool, command string }

// failure is a call that failed and was not repeated with success yet.
type failure struct {
	event string // the result
	turn  int
	text  string
}

// maxWait is how many turns after a failure a success of the same command is its end.
const maxWait = 10

// record notes what an event decides or teaches.
func (b *builder) record(e *session.Event) {
	switch {
	case e.Has(session.TagThinking) || e.Has(session.TagMalformed) || e.Has(session.TagFrame) || e.Has(session.TagSummary):
	case e.Kind == session.Decision:
		b.addRecord(e, Decision, e.Text)
	case e.Kind == session.UserMessage || e.Kind == session.AgentMessage:
		for _, s := range sentences(e.Text) {
			switch {
			case decisionRE.MatchString(s), e.Kind == session.UserMessage && e.SubAgent == "" && wishRE.MatchString(s):
				b.addRecord(e, Decision, s)
			case len(s) >= minLesson && lessonRE.MatchString(s) && e.Kind == session.AgentMessage:
				b.addRecord(e, Lesson, s)
			}
		}
	case e.Kind == session.ToolCall:
		b.calls[e.ID] = call{e.Tool, commandOf(e.Text)}
	case e.Kind == session.ToolResult:
		b.result(e)
	}
}

// result notes a failure, and the success that ends one.
func (b *builder) result(e *session.Event) {
	called, ok := b.calls[e.Parent]
	delete(b.calls, e.Parent)
	if !ok || called.command == "" {
		return
	}
	name := called.tool + " " + called.command
	before, failed := b.fails[name]
	switch {
	case e.Failed:
		if b.fails == nil {
			b.fails = make(map[string]failure)
		}
		if !failed {
			b.fails[name] = failure{e.ID, e.Turn, firstError(e.Text)}
		}
	case failed:
		delete(b.fails, name)
		if e.Turn-before.turn <= maxWait {
			b.addRecord(e, Mistake, called.command+" failed: "+before.text, before.event)
			b.addRecord(e, Success, called.command+" works again after: "+before.text, before.event)
		}
	}
}

func (b *builder) addRecord(e *session.Event, kind RecordKind, text string, because ...string) {
	b.views.Records = append(b.views.Records, Record{
		Kind: kind, Session: b.views.Session, Event: e.ID, Turn: e.Turn, At: e.At, Who: e.Who(), Text: oneLine(text), Because: because,
	})
}

var commandRE = lazyregexp.New(`"(?:command|cmd)"\s*:\s*"((?:[^"\\]|\\.){1,200})`)

// commandOf is the command of a call of a shell, "" for other calls.
func commandOf(text string) string {
	if groups := commandRE.FindStringSubmatch(text); groups != nil {
		return facts.FoldSpace(groups[1])
	}
	return ""
}

var errorRE = lazyregexp.New(`(?im)^.*\b(error|fail(ed|ure)?|panic|exception|not found|denied|refused|cannot|undefined)\b.*$`)

// firstError is the first line of a result that names an error, or its first line.
func firstError(text string) string {
	if line := errorRE.FindString(text); line != "" {
		return oneLine(line)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return oneLine(line)
}

const (
	minSentence = 20
	maxSentence = 400
	// minLesson leaves out "Found the root cause.", which teaches nothing.
	minLesson = 40
	// maxSentences bounds what is read of one message.
	maxSentences = 400
)

// sentences are those of a text outside of its blocks of code. A line ends a sentence.
func sentences(text string) (list []string) {
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if code || strings.HasPrefix(line, "|") {
			continue
		}
		line = strings.ReplaceAll(strings.TrimLeft(line, "#>-*• \t"), "**", "")
		for line != "" && len(list) < maxSentences {
			end := sentenceEnd(line)
			if s := strings.TrimSpace(line[:end]); len(s) >= minSentence && len(s) <= maxSentence {
				list = append(list, s)
			}
			line = strings.TrimSpace(line[end:])
		}
	}
	return list
}

// sentenceEnd is where the first sentence of a line ends: behind a full stop that a space and a
// capital follow.
func sentenceEnd(line string) int {
	for i := range len(line) - 2 {
		if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' && (unicode.IsUpper(rune(line[i+2])) || line[i+2] == '`') {
			return i + 1
		}
	}
	return len(line)
}
