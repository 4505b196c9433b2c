package retrieval

import (
	"fmt"
	"path/filepath"
	"strings"

	"engram/eval/corpus"
)

// loadCommitSession asks in which session of an agent the work behind a commit
// was done. The messages of a session are facts of that session.
func loadCommitSession(dir string) (suite, error) {
	s := suite{
		name: "commit-session", grouped: true,
		about: "The message of a commit, as a question for the agent session in which it was worked on.",
	}
	transcripts, err := corpus.ReadTranscripts(filepath.Join(dir, "sessions", "entire-cli"))
	if err != nil {
		return s, err
	}
	byName, byID, damaged := make(map[string]bool), make(map[string][]string), 0
	for _, t := range transcripts {
		name := strings.ToLower(t.Session)
		for _, message := range t.Messages {
			for _, p := range corpus.Chunk(message) {
				s.facts = append(s.facts, corpus.NewFact(len(s.facts), name, p.Claim, p.Detail))
			}
		}
		byName[name] = true
		byID[sessionID(name)] = append(byID[sessionID(name)], name)
		damaged += t.Damaged
	}
	if damaged > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d damaged lines in %d transcripts were skipped", damaged, len(transcripts)))
	}
	s.questions, err = commitQuestions(filepath.Join(dir, "sessions", "commit_session_links.share.jsonl"), func(session string) string {
		session = strings.ToLower(session)
		if same := byID[sessionID(session)]; !byName[session] && len(same) == 1 {
			return same[0]
		}
		return session
	})
	return s, err
}

// sessionID is a session's name without the date in front. Links name the day of
// a checkpoint, transcripts the day on which a session began, which may differ.
func sessionID(name string) string {
	const date = len("2026-01-02-")
	return name[min(date, len(name)):]
}

// commitQuestions reads the links. A few commits have the same message and
// different sessions; each counts, as it does for whoever asks.
func commitQuestions(path string, resolve func(string) string) ([]question, error) {
	var links []struct {
		Commit   string   `json:"commit"`
		Subject  string   `json:"subject"`
		Body     string   `json:"body"`
		Sessions []string `json:"session_ids_with_transcript"`
		Literal  *bool    `json:"subject_literal_in_transcript"`
	}
	if err := corpus.ReadJSONLines(path, &links); err != nil {
		return nil, err
	}
	var questions []question
	for _, l := range links {
		q := question{id: l.Commit[:min(12, len(l.Commit))], text: l.Subject + "\n" + l.Body}
		for _, session := range l.Sessions {
			q.relevant = append(q.relevant, resolve(session))
		}
		if l.Literal != nil && !*l.Literal {
			q.subsets = append(q.subsets, "subject not in transcript")
		}
		if strings.TrimSpace(q.text) != "" && len(q.relevant) > 0 {
			questions = append(questions, q)
		}
	}
	return questions, nil
}
