package recall

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// Kind is a kind of needle (source document 5, §10A.1).
type Kind string

// The kinds.
const (
	Hash      Kind = "hash"
	Path      Kind = "path"
	Failure   Kind = "error"
	Parameter Kind = "parameters"
	Rationale Kind = "rationale"
	// Reworded is a rationale that is asked for in other words than it was given in.
	Reworded Kind = "rationale in other words"
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{Hash, Path, Failure, Parameter, Rationale, Reworded, Reason, ReasonHeld}
}

// shape is what a needle of a kind, and a distractor, looks like.
var shape = map[Kind]*regexp.Regexp{
	Hash:      regexp.MustCompile(`\b[0-9a-f]{12}\b`),
	Path:      regexp.MustCompile(`/(?:srv|opt)/[a-z/-]+\.(?:go|log|py):\d+`),
	Failure:   regexp.MustCompile(`E[A-Z]{4,} 10\.\d+\.\d+\.\d+:\d+`),
	Parameter: regexp.MustCompile(`--[a-z-]+=\d+ --timeout=\d+ms`),
	Rationale: regexp.MustCompile(`chose [A-Za-z ]+ over [A-Za-z ]+ because of [a-z ]+`),
}

// needle is an exact string of the first turns and the question that asks for it, which has the
// words near the string and not the string.
type needle struct {
	kind            Kind
	value, question string
	event           string
}

// said is an event of a trace before it is stored.
type said struct {
	turn             int
	kind, tool, text string

	task, premise, supersedes string // of an ablation
}

var (
	places  = strings.Fields("billing search checkout inventory shipping ledger profile catalog gateway notifier scheduler exporter importer indexer archive session mailer pricing quota audit")
	parts   = strings.Fields("worker service adapter cache proxy consumer daemon controller replica migration")
	codes   = strings.Fields("ECONNREFUSED ETIMEDOUT ECONNRESET EHOSTUNREACH EADDRINUSE")
	options = strings.Fields("max-retries pool-size batch-limit fan-out backlog max-conns")
	folders = strings.Fields("core net store jobs api sync queue auth")
)

// choices are decisions with their reasons, and questions that ask for them in other words. Both
// were written by hand, and no two words of a pair have a stem in common but "the" and the like.
var choices = [...]struct{ text, asked, other string }{
	{"chose PostgreSQL over MySQL because of native json columns and better concurrent writes", "Which database was chosen over MySQL, and because of what?", "Why did we pick this relational storage engine?"},
	{"chose Kafka over RabbitMQ because of replayable logs and ordered partitions", "What was chosen over RabbitMQ, and because of what?", "What was the motive for our message broker selection?"},
	{"chose gRPC over REST because of streaming calls and generated clients", "What was chosen over REST, and because of what?", "What made us settle on that protocol between microservices?"},
	{"chose Redis over Memcached because of sorted sets and persistence", "What was chosen over Memcached, and because of what?", "What justified our in-memory key-value system?"},
	{"chose Terraform over Ansible because of declarative plans and drift reports", "What was chosen over Ansible, and because of what?", "What argument decided our infrastructure provisioning tool?"},
	{"chose Svelte over React because of smaller bundles and faster startup", "What was chosen over React, and because of what?", "What is the rationale for the frontend framework?"},
	{"chose SQLite over LevelDB because of transactions and a query language", "What was chosen over LevelDB, and because of what?", "For what reason do we use this embedded database?"},
	{"chose Nomad over Kubernetes because of fewer moving pieces and simple upgrades", "What was chosen over Kubernetes, and because of what?", "Why this container orchestrator?"},
	{"chose Zstandard over Gzip because of ratio at equal speed and dictionaries", "What was chosen over Gzip, and because of what?", "What spoke for our compression format?"},
	{"chose Bazel over Make because of hermetic builds and remote caching", "What was chosen over Make, and because of what?", "Why did the team adopt that compile system?"},
}

// others are decisions that only distract.
var others = [...]string{
	"chose tabs over spaces because of the formatter", "chose Vim over Emacs because of habit",
	"chose Loki over Elastic because of cheap retention", "chose Caddy over Nginx because of automatic certificates",
	"chose Poetry over Pip because of lock files", "chose Minio over Ceph because of an easy setup",
}

type maker struct {
	*rand.Rand
	used map[string]bool
	near *asked // the subjects that distractors are about; nil: none of them
}

func (m maker) one(list []string) string { return list[m.IntN(len(list))] }

func (m maker) hash() string { return fmt.Sprintf("%012x", m.Uint64()&(1<<48-1)) }

func (m maker) path() string {
	return fmt.Sprintf("/srv/%s/%s/%s.go:%d", m.one(places), m.one(folders), m.one(parts), 10+m.IntN(4000))
}

func (m maker) failure() string {
	return fmt.Sprintf("%s 10.%d.%d.%d:%d", m.one(codes), m.IntN(250), m.IntN(250), m.IntN(250), 1024+m.IntN(60000))
}

func (m maker) parameter() string {
	return fmt.Sprintf("--%s=%d --timeout=%dms", m.one(options), 1+m.IntN(90), 100*(1+m.IntN(90)))
}

// subject is a component that no other needle of the trace is about.
func (m maker) subject() string {
	for {
		s := m.one(places) + " " + m.one(parts)
		if !m.used[s] {
			m.used[s] = true
			return s
		}
	}
}

// plant makes the first ten turns: in every second one, a needle.
func (m maker) plant(trace int) (events []said, needles []needle, subjects asked) {
	hash, path, failure, parameter := m.subject(), m.subject(), m.subject(), m.subject()
	choice := choices[trace%len(choices)]
	needles = []needle{
		{kind: Hash, value: m.hash(), question: "Which SHA-256 fragment has the image of the " + hash + "?"},
		{kind: Path, value: m.path(), question: "In which file and line is the leak of the " + path + "?"},
		{kind: Failure, value: m.failure(), question: "With which error did the " + failure + " stop at startup?"},
		{kind: Parameter, value: m.parameter(), question: "With which parameters was the " + parameter + " tuned?"},
		{kind: Rationale, value: choice.text, question: choice.asked},
	}
	texts := []string{
		"The image of the " + hash + " has the SHA-256 fragment " + needles[0].value + ".",
		"The leak of the " + path + " is in the file and line " + needles[1].value + ".",
		"At startup the " + failure + " stopped with the error " + needles[2].value + ".",
		"The " + parameter + " was tuned with the parameters " + needles[3].value + ".",
		"After the comparison we " + needles[4].value + ".",
	}
	for i, text := range texts {
		kind, tool := "tool_result", "Bash"
		if i == 4 {
			kind, tool = "decision", ""
		}
		events = append(events,
			said{turn: 2*i + 1, kind: "user_message", text: "Go on with step " + fmt.Sprint(i+1) + " of the plan."},
			said{turn: 2*i + 1, kind: kind, tool: tool, text: text},
			said{turn: 2*i + 2, kind: "user_message", text: "Good. What comes next?"},
			said{turn: 2*i + 2, kind: "agent_message", text: "I look at the next step."})
	}
	needles = append(needles, needle{kind: Reworded, value: choice.text, question: choice.other})
	return events, needles, asked{hash, path, failure, parameter}
}

// flood makes one turn of some 3,000 tokens of tool output with distractors of each shape.
func (m maker) flood(turn int) []said {
	var b strings.Builder
	subject := func() string {
		for {
			if s := m.one(places) + " " + m.one(parts); !m.used[s] {
				return s
			}
		}
	}
	for b.Len() < 11_500 {
		if m.near != nil && m.IntN(4) == 0 {
			b.WriteString(m.nearLine(subject) + "\n")
			continue
		}
		switch m.IntN(9) {
		case 0:
			fmt.Fprintf(&b, "pushed the image of the %s: SHA-256 fragment %s\n", subject(), m.hash())
		case 1:
			fmt.Fprintf(&b, "-rw-r--r-- %6d %s\n", m.IntN(90000), m.path())
		case 2:
			fmt.Fprintf(&b, "error: the %s stopped at startup: %s\n", subject(), m.failure())
		case 3:
			fmt.Fprintf(&b, "exec %s %s\n", strings.ReplaceAll(subject(), " ", "-"), m.parameter())
		case 4:
			fmt.Fprintf(&b, "note: for the %s somebody %s\n", subject(), others[m.IntN(len(others))])
		case 5:
			fmt.Fprintf(&b, "[%d/%d] compile %s/%s in %d ms\n", m.IntN(400), 400, m.one(places), m.one(parts), m.IntN(9000))
		default:
			fmt.Fprintf(&b, "{\"id\":%d,\"service\":%q,\"status\":%q,\"ms\":%d}\n", m.IntN(1e6), m.one(places), m.one([]string{"ok", "queued", "late"}), m.IntN(900))
		}
	}
	return []said{
		{turn: turn, kind: "user_message", text: "Run the next batch."},
		{turn: turn, kind: "tool_result", tool: "Bash", text: b.String()},
	}
}
