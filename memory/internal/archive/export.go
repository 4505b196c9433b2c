package archive

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
	"engram/session/transcript"
)

// ExportInput names a session and the form of its export.
type ExportInput struct {
	ID     string `json:"session_id"`
	Format string `json:"format,omitempty" flag:"format,f,FORMAT" help:"FORMAT client (the client's own transcript, byte for byte but for what was redacted or omitted), markdown or json" default:"client"`
	Stream string `json:"stream,omitempty" flag:"sub-agent,,ID" help:"the transcript of the sub-agent ID instead of the main one"`
}

// The forms of an export.
const (
	FormatClient   = "client"
	FormatMarkdown = "markdown"
	FormatJSON     = "json"
)

// ExportFormats lists the forms of an export.
func ExportFormats() []string { return []string{FormatClient, FormatMarkdown, FormatJSON} }

// Export writes a session: its transcript as the client wrote it, a conversation in
// Markdown, or one JSON object for each event.
func (a *Archive) Export(ctx context.Context, in ExportInput, w io.Writer) error {
	id, err := a.Resolve(ctx, in.ID)
	if err != nil {
		return err
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 256<<10)
	switch in.Format {
	case "", FormatClient:
		err = s.exportTranscript(ctx, in.Stream, out)
	case FormatMarkdown:
		err = s.exportMarkdown(ctx, out)
	case FormatJSON:
		err = s.exportJSON(ctx, out)
	default:
		return core.UsageErrorf(core.DidYouMean(in.Format, ExportFormats()), "there is no format %.40q; there are %s", in.Format, strings.Join(ExportFormats(), ", "))
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// record is a record with its events.
type record struct {
	source *session.Source
	events []session.Event
}

// records calls do with each record of a stream, in order, without those that another one
// supersedes.
func (s *Session) records(ctx context.Context, stream string, do func(record) error) error {
	gone := map[string]bool{}
	for e, err := range s.Events(ctx) {
		if err != nil {
			return err
		}
		if e.Supersedes != "" {
			gone[e.Supersedes] = true
		}
	}
	var current record
	finish := func() error {
		r := current
		current = record{}
		if r.source == nil || r.source.Stream != stream || gone[r.events[0].ID] {
			return nil
		}
		return do(r)
	}
	for e, err := range s.Events(ctx) {
		if err != nil {
			return err
		}
		if e.Source != nil {
			if err := finish(); err != nil {
				return err
			}
			current.source = e.Source
		}
		if current.source != nil && len(current.events) < current.source.Events {
			current.events = append(current.events, e)
		}
	}
	return finish()
}

// exportTranscript writes a stream as the client wrote it.
func (s *Session) exportTranscript(ctx context.Context, stream string, out *bufio.Writer) error {
	open, count := false, 0
	var frame []byte
	var format transcript.Format
	items := map[int][]byte{}
	err := s.records(ctx, stream, func(r record) error {
		raw, err := session.Restore(r.events, func(digest string) ([]byte, error) { return s.Artifact(ctx, digest) })
		if err != nil {
			return err
		}
		count++
		format = transcript.Format(r.source.Format)
		switch {
		case r.events[0].Has(session.TagFrame):
			frame = raw
			return nil
		case format.Document() && !r.events[0].Has(session.TagMalformed):
			items[r.source.Item] = raw
			return nil
		}
		if open { // it went on after all
			_ = out.WriteByte('\n')
		}
		open = r.source.Open
		_, _ = out.Write(raw)
		if !open {
			return out.WriteByte('\n')
		}
		return nil
	})
	if err != nil {
		return err
	}
	if count == 0 {
		return core.NotFoundErrorf(hint.New("%s shows its events", hint.Do(hint.ShowSession, s.ID)), "session %s has no transcript of a client%s", s.ID, ofStream(stream))
	}
	if frame == nil {
		return nil
	}
	list := make([][]byte, 0, len(items))
	for i := range len(items) {
		list = append(list, items[i])
	}
	doc, err := format.Join(frame, list)
	if err != nil {
		return fmt.Errorf("restore the transcript of session %s: %w", s.ID, err)
	}
	_, err = out.Write(doc)
	return err
}

func ofStream(stream string) string {
	if stream == "" {
		return ""
	}
	return fmt.Sprintf(" of the sub-agent %.60q", stream)
}

// exportJSON writes a line of JSON for each event.
func (s *Session) exportJSON(ctx context.Context, out *bufio.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for e, err := range s.Events(ctx) {
		if err == nil {
			err = encoder.Encode(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// exportMarkdown writes the conversation.
func (s *Session) exportMarkdown(ctx context.Context, out *bufio.Writer) error {
	sum, err := s.Summary(ctx)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "# %s\n\nSession `%s` of %s, %d turns, %d events.\n", markdownLine(sum.Title, "Session "+s.ID), s.ID, markdownLine(sum.Client, "an agent"), sum.Turns, sum.Events)
	for e, err := range s.Events(ctx) {
		if err != nil {
			return err
		}
		if e.Text == "" || e.Kind == session.SystemNote && !e.Has(session.TagCommit) {
			continue
		}
		_, _ = fmt.Fprintf(out, "\n## %s · turn %d\n\n", speaker(e), e.Turn)
		if e.Kind == session.ToolCall || e.Kind == session.ToolResult {
			fence := strings.Repeat("`", max(3, longestRun(e.Text)+1))
			_, _ = fmt.Fprintf(out, "%s\n%s\n%s\n", fence, strings.TrimRight(e.Text, "\n"), fence)
			continue
		}
		_, _ = fmt.Fprintf(out, "%s\n", strings.TrimRight(e.Text, "\n"))
	}
	return nil
}

// speaker names who or what an event comes from.
func speaker(e session.Event) string {
	switch e.Kind {
	case session.UserMessage:
		return "User"
	case session.ToolCall:
		return "Call of " + markdownLine(e.Tool, "a tool")
	case session.ToolResult:
		return "Result of " + markdownLine(e.Tool, "a tool")
	case session.Decision:
		return "Decision"
	case session.SystemNote:
		return "Note"
	}
	if e.Has(session.TagThinking) {
		return "Agent, thinking"
	}
	return "Agent"
}

// markdownLine is a text on one line, or another one if it is empty.
func markdownLine(text, otherwise string) string {
	if text = oneLine(text); text == "" {
		return otherwise
	}
	return text
}

// longestRun returns the length of the longest run of backquotes.
func longestRun(text string) (longest int) {
	n := 0
	for i := range len(text) {
		if n++; text[i] != '`' {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}

// ResumeResult says how to continue a session with its client.
type ResumeResult struct {
	SchemaVersion int      `json:"schema_version"`
	ID            string   `json:"session_id"`
	Client        string   `json:"client"`
	Folder        string   `json:"folder,omitempty"`
	FolderGone    bool     `json:"folder_gone,omitempty"` // it is not on this machine
	Command       []string `json:"command"`
}

// Resume returns the command of its client that continues a session.
func (a *Archive) Resume(ctx context.Context, text string) (ResumeResult, error) {
	result := ResumeResult{SchemaVersion: core.SchemaVersion}
	id, err := a.Resolve(ctx, text)
	if err != nil {
		return result, err
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return result, err
	}
	header, err := s.Header(ctx)
	if err != nil {
		return result, err
	}
	result.ID, result.Client, result.Folder = id, header.Client, header.Folder
	if info, err := os.Stat(header.Folder); header.Folder != "" && (err != nil || !info.IsDir()) {
		result.FolderGone = true
	}
	if result.Command = transcript.Format(header.Client).ResumeCommand(id); result.Command == nil {
		return result, core.UsageErrorf(hint.New("%s writes it as text for another agent to read", hint.Do(hint.ExportSession, id)), "session %s is of %s, which has no command to continue one", id, markdownLine(header.Client, "no known client"))
	}
	return result, nil
}
