package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// program is the adapter for any other tool: a program that is started once a request,
// with the verb as its argument and the request as JSON on its standard input.
type program struct{ path string }

// NewProgram returns the adapter for a program that speaks the protocol of
// docs/reliability.md.
func NewProgram(path string) Tool { return program{path} }

// request is what the program is given.
type request struct {
	Dir    string `json:"dir,omitempty"`
	Clones int    `json:"clones,omitempty"`
	Clone  string `json:"clone,omitempty"`
	Fact
	About string `json:"about,omitempty"`
}

// reply is one line of what the program answers.
type reply struct {
	Clone       string `json:"clone"`
	Key         string `json:"key"`
	Text        string `json:"text"`
	Refused     bool   `json:"refused"`
	Unsupported bool   `json:"unsupported"`
}

func (t program) do(ctx context.Context, verb, dir string, r request) (lines []reply, raw string, err error) {
	input, err := json.Marshal(r)
	if err != nil {
		return nil, "", err
	}
	cmd := command(ctx, dir, dir, t.path, verb)
	cmd.Stdin = bytes.NewReader(append(input, '\n'))
	raw, err = output(cmd)
	if err != nil {
		return nil, raw, err
	}
	for decoder := json.NewDecoder(strings.NewReader(raw)); ; {
		var line reply
		switch err := decoder.Decode(&line); {
		case errors.Is(err, io.EOF):
			return lines, raw, nil
		case err != nil:
			return nil, raw, fmt.Errorf("%s answered no JSON: %w", verb, err)
		case line.Refused:
			return nil, raw, ErrRefused
		case line.Unsupported:
			return nil, raw, ErrUnsupported
		}
		lines = append(lines, line)
	}
}

func (t program) Setup(ctx context.Context, dir string, n int) (clones []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lines, _, err := t.do(ctx, "setup", dir, request{Dir: dir, Clones: n})
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		clones = append(clones, line.Clone)
	}
	if len(clones) != n {
		return nil, fmt.Errorf("setup made %d clones, want %d", len(clones), n)
	}
	return clones, nil
}

func (t program) Commit(ctx context.Context, clone string, f Fact) error {
	_, _, err := t.do(ctx, "commit", clone, request{Clone: clone, Fact: f})
	return err
}

func (t program) Read(ctx context.Context, clone string, q Question) (Answer, error) {
	lines, raw, err := t.do(ctx, "read", clone, request{Clone: clone, Fact: Fact{Agent: q.Agent}, About: q.About})
	answer := Answer{Raw: raw}
	for _, line := range lines {
		answer.Facts = append(answer.Facts, Fact{Key: line.Key, Text: line.Text})
	}
	return answer, err
}

func (t program) Sync(ctx context.Context, clone string) error {
	_, _, err := t.do(ctx, "sync", clone, request{Clone: clone})
	return err
}
