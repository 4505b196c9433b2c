package session_test

import (
	"testing"

	"engram/session"
)

func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		kind       session.Kind
		text, want string
	}{
		{session.ToolCall, `{"file_path":"tax.go","edits":[{"old":"a\n\tif err","all":true}],"n":3}`, "tax.go\na\n\tif err\ntrue\n3"},
		{session.ToolCall, `ls -l`, "ls -l"},
		{session.ToolCall, `{"cut":`, `{"cut":`},
		{session.ToolCall, `{}`, `{}`},
		{session.ToolResult, `{"a":"b"}`, `{"a":"b"}`},
	} {
		e := session.Event{Kind: tt.kind, Text: tt.text}
		if got := e.Plain(); got != tt.want {
			t.Errorf("Plain of %s = %q, want %q", tt.text, got, tt.want)
		}
	}
}
