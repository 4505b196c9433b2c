package retrieval

import (
	_ "embed"
	"regexp"
	"strings"
)

// topic is a rule of the dialogues of memorycode as a question that neither
// quotes the rule nor contains what it demands, because that is what changes.
type topic struct {
	form     *regexp.Regexp
	question string // $1 is what the rule applies to, which is also part of its identity
}

// topicTable covers the rules that the dialogues state: in each line the form of a rule
// and its question. What a mentor demands (which prefix, always or never) is the answer;
// what about is the question.
//
//go:embed topics.tsv
var topicTable string

func topics() (list []topic) {
	for line := range strings.Lines(topicTable) {
		form, question, _ := strings.Cut(strings.TrimSpace(line), "\t")
		list = append(list, topic{regexp.MustCompile(form), question})
	}
	return list
}

// ask words a rule as a question. Rules that give the same question are
// versions of one rule. ok is false if the text is not a rule.
func (t topic) ask(rule string) (question string, ok bool) {
	at := t.form.FindStringSubmatchIndex(rule)
	if at == nil {
		return "", false
	}
	return string(t.form.ExpandString(nil, t.question, rule, at)), true
}
