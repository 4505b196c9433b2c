package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Transcript is what was said in one session of an agent: the texts of user and
// agent, without thoughts, tools and their results. A commit message that the
// agent passed to git as an argument is therefore not in it.
type Transcript struct {
	Session  string
	Messages []string
	Damaged  int // lines that are not JSON, as published
}

// ReadTranscripts reads a folder of them, by name. Two forms occur: JSON lines
// with a message each, and one JSON object with a list of messages.
func ReadTranscripts(dir string) ([]Transcript, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list transcripts: %w", err)
	}
	var list []Transcript
	for _, e := range entries {
		extension := filepath.Ext(e.Name())
		if extension != ".json" && extension != ".jsonl" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read a transcript: %w", err)
		}
		t := Transcript{Session: strings.TrimSuffix(e.Name(), extension)}
		if extension == ".json" {
			err = t.readObject(b)
		} else {
			t.readLines(b)
		}
		if err != nil {
			return nil, fmt.Errorf("read transcript %s: %w", e.Name(), err)
		}
		list = append(list, t)
	}
	return list, nil
}

func (t *Transcript) readObject(b []byte) error {
	var session struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(b, &session); err != nil {
		return err
	}
	for _, m := range session.Messages {
		t.say(m.Content)
	}
	return nil
}

// readLines reads any number of lines of any length and counts those that are
// damaged.
func (t *Transcript) readLines(b []byte) {
	for line := range bytes.Lines(b) {
		if len(bytes.TrimSpace(line)) > 0 {
			t.readLine(line)
		}
	}
}

func (t *Transcript) readLine(line []byte) {
	var event struct {
		Type    string `json:"type"`
		Meta    bool   `json:"isMeta"`
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &event) != nil {
		t.Damaged++
		return
	}
	if event.Meta || event.Type != "user" && event.Type != "assistant" {
		return
	}
	var text string
	if json.Unmarshal(event.Message.Content, &text) == nil {
		t.say(text)
		return
	}
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(event.Message.Content, &blocks) == nil {
		for _, block := range blocks {
			if block.Type == "text" {
				t.say(block.Text)
			}
		}
	}
}

func (t *Transcript) say(text string) {
	if strings.TrimSpace(text) != "" {
		t.Messages = append(t.Messages, text)
	}
}
