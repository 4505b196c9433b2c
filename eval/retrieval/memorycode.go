package retrieval

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/eval/corpus"
	"engram/eval/paraphrase"
)

// dialogue is a mentor's talks with a newcomer, session by session. Each
// session's topics are the rules that it states, in normal form.
type dialogue struct {
	Sessions []struct {
		Types  []string `json:"type"`
		Topics []string `json:"topic"`
		Text   string   `json:"text"`
	} `json:"sessions"`
}

// The bounds of memorycode's size. Two sessions are the fewest among which
// there is one to find.
const (
	fewestSessions   = 2
	questionsAPerson = 6 // of one dialogue at most, so that the longest do not outweigh the rest
)

// loadMemoryCode asks a newcomer's questions after the last session of a
// dialogue: what rule holds now? What answers it is the last session that
// states the rule; earlier ones are out of date. All dialogues are in one
// memory, each a scope of its own, and the question is asked in its scope.
func loadMemoryCode(dir string) (suite, error) {
	s := suite{
		name: "memorycode", grouped: true,
		about: "A question on a rule of a team, for the last session in which a mentor stated it.",
	}
	files, err := filepath.Glob(filepath.Join(dir, "memory", "memorycode", "dialogue_*.json"))
	if err != nil || len(files) == 0 {
		return s, fmt.Errorf("find dialogues: %w", os.ErrNotExist)
	}
	short := 0
	for _, file := range files {
		var d dialogue
		if err := corpus.ReadJSON(file, &d); err != nil {
			return s, err
		}
		if len(d.Sessions) < fewestSessions {
			short++
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".json"), "_", "-")
		s.addDialogue(name, d)
	}
	if short > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d dialogues of one session were skipped", short))
	}
	return s, nil
}

func (s *suite) addDialogue(name string, d dialogue) {
	for i, session := range d.Sessions {
		for _, p := range corpus.Chunk(session.Text) {
			f := corpus.NewFact(len(s.facts), name, p.Claim, p.Detail)
			f.Item = sessionItem(name, i)
			f.Record.Scope = f.Item
			s.facts = append(s.facts, f)
		}
	}
	rules := d.rules()
	// Which rules are asked about does not depend on their wording or age.
	slices.SortFunc(rules, func(a, b statedRule) int {
		return strings.Compare(fmt.Sprint(paraphrase.NewDice(name, a.question).Next()), fmt.Sprint(paraphrase.NewDice(name, b.question).Next()))
	})
	for i, r := range rules[:min(questionsAPerson, len(rules))] {
		subset := "rule stated once"
		if len(r.sessions) > 1 {
			subset = "rule changed since"
		}
		length := "up to 15 sessions"
		if len(d.Sessions) > 15 {
			length = "more than 15 sessions"
		}
		s.questions = append(s.questions, question{
			id: fmt.Sprintf("%s/%d", name, i), text: r.question, scope: name,
			relevant: []string{sessionItem(name, r.sessions[len(r.sessions)-1])}, subsets: []string{subset, length},
		})
	}
}

func sessionItem(dialogue string, session int) string {
	return fmt.Sprintf("%s/session-%03d", dialogue, session)
}

// statedRule is a rule with the sessions that state it, in order.
type statedRule struct {
	question string
	sessions []int
}

func (d dialogue) rules() []statedRule {
	known := topics()
	at := make(map[string]int)
	var rules []statedRule
	for i, session := range d.Sessions {
		for n, stated := range session.Topics {
			if n < len(session.Types) && !strings.Contains(session.Types[n], "instruction") {
				continue // small talk
			}
			for _, t := range known {
				question, ok := t.ask(stated)
				if !ok {
					continue
				}
				if _, again := at[question]; !again {
					at[question] = len(rules)
					rules = append(rules, statedRule{question: question})
				}
				r := &rules[at[question]]
				if !slices.Contains(r.sessions, i) {
					r.sessions = append(r.sessions, i)
				}
				break
			}
		}
	}
	return rules
}
