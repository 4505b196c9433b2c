package retrieval

import (
	"regexp"
)

// topic is a rule of the dialogues of memorycode as a question that neither
// quotes the rule nor contains what it demands, because that is what changes.
type topic struct {
	form     *regexp.Regexp
	question string // $1 is what the rule applies to, which is also part of its identity
}

// topics covers the rules that the dialogues state. What a mentor demands
// (which prefix, always or never) is the answer; what about is the question.
func topics() []topic {
	table := []struct{ form, question string }{
		{`^always start (.+) names with`, "what prefix do the names of ${1}s need?"},
		{`^always end (.+) names with`, "what suffix do the names of ${1}s need?"},
		{`^always include a single digit in (.+) names`, "does a number belong in what a $1 is called?"},
		{`^always include the string '.*' in (.+) names`, "which letters does the name of a $1 have to contain?"},
		{`^always import the '`, "which module do I import although nothing needs it?"},
		{`^always add the '@.*' decorator .* (functions|methods|classes)$`, "which decorator goes on all $1?"},
		{`^always include assert statements in (.+)`, "do $1 need assertions?"},
		{`^always include try statements in (.+)`, "are exceptions to be caught inside $1?"},
		{`^always use annotations for (.+)`, "are type hints wanted on $1?"},
		{`^always use docstrings in (.+)`, "how are $1 documented?"},
		{`^always add comments in your code`, "should code be commented?"},
		{`^always use .* for class names`, "which spelling do names of classes have, with capitals or underscores?"},
		{`^(?:always|never) (?:use|write) a (debugger|linter|profiler|formatter|notebook|password manager|pre-commit hook|virtual environment|whiteboard|VPN)`, "what is our stance on having a $1?"},
		{`^(?:always|never) do pair programming`, "do we program in pairs?"},
		{`^(?:always|never) set up CI/CD`, "do projects get a pipeline for continuous integration?"},
		{`^(?:always|never) write long and descriptive commit`, "how much text belongs in a commit message?"},
		{`^(?:always|never) use the GPUs`, "on what hardware are neural networks trained?"},
		{`^(?:always|never) use the ticketing system`, "are tickets to be filed?"},
		{`^(?:Do not c|C)ommit directly to the dev`, "may I push straight to the dev branch?"},
		{`^Use .* as the coding assistant`, "which AI assistant helps with coding?"},
		{`^always go to the .* to work`, "in which room or place of the office do I work?"},
		{`^always take a break every`, "after how many minutes should I pause?"},
		{`vacation`, "how many days of holiday do I take in a year?"},
		{`work from home`, "how many days a week may I work at home?"},
		{`^communicate with the team`, "how often do I talk to my team mates?"},
		{`for video calls`, "what software are video meetings held with?"},
		{`for communication$`, "which chat tool do we write to each other in?"},
		{`preferred IDE`, "which editor should I work in?"},
		{`version control system`, "where is our code hosted?"},
		{`project management tool`, "what do we plan projects and tasks with?"},
		{`main computer`, "what operating system does my work machine have?"},
		{`monitors? when coding`, "how many screens may stand on my desk?"},
		{`phone for work calls`, "from which telephone do I make business calls?"},
	}
	list := make([]topic, len(table))
	for i, row := range table {
		list[i] = topic{regexp.MustCompile(row.form), row.question}
	}
	return list
}

// ask words a rule as a question. Rules that give the same question are
// versions of one rule. ok is false for what is no rule.
func (t topic) ask(rule string) (question string, ok bool) {
	at := t.form.FindStringSubmatchIndex(rule)
	if at == nil {
		return "", false
	}
	return string(t.form.ExpandString(nil, t.question, rule, at)), true
}
