package retrieval

import (
	"fmt"
	"path/filepath"
	"strings"

	"engram/eval/corpus"
)

// loadDevMemBench asks in which sessions with a coding assistant a question's
// answer was said. The messages of a session are facts of that session.
func loadDevMemBench(dir string) (suite, error) {
	s := suite{
		name: "devmembench", grouped: true,
		about: "A question on a project, for the coding sessions in which its answer was said.",
	}
	dir = filepath.Join(dir, "memory", "devmembench")
	var sessions []struct {
		ID       string `json:"sessionId"`
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	var questions []struct {
		ID       string   `json:"questionId"`
		Type     string   `json:"questionType"`
		Text     string   `json:"question"`
		Sessions []string `json:"haystackSessionIds"`
	}
	if err := corpus.ReadJSON(filepath.Join(dir, "sessions.json"), &sessions); err != nil {
		return s, err
	}
	if err := corpus.ReadJSON(filepath.Join(dir, "questions.json"), &questions); err != nil {
		return s, err
	}
	for _, session := range sessions {
		for _, message := range session.Messages {
			for _, p := range corpus.Chunk(message.Content) {
				s.facts = append(s.facts, corpus.NewFact(len(s.facts), strings.ToLower(session.ID), p.Claim, p.Detail))
			}
		}
	}
	skipped := 0
	for _, q := range questions {
		if len(q.Sessions) == 0 {
			skipped++
			continue
		}
		subset := "one session"
		if len(q.Sessions) > 1 {
			subset = "several sessions"
		}
		asked := question{id: q.ID, text: q.Text, subsets: []string{subset}}
		for _, session := range q.Sessions {
			asked.relevant = append(asked.relevant, strings.ToLower(session))
		}
		s.questions = append(s.questions, asked)
	}
	if skipped > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d questions that no session answers were skipped", skipped))
	}
	return s, nil
}
