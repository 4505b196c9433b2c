package session_test

import (
	"slices"
	"testing"

	"engram/session"
)

// TestCallsSayWhatTheyDo: clients name the same things differently.
func TestCallsSayWhatTheyDo(t *testing.T) {
	for _, tt := range []struct {
		text  string
		paths []string
		want  string
	}{
		{`{"command":"go test ./...","timeout":5}`, nil, "go test ./..."},
		{`{"command":["bash","-lc","ls -l\nwc"]}`, nil, "ls -l"},
		{`{"command":["grep","a b","it's"]}`, nil, `grep 'a b' 'it'\''s'`},
		{`{"file_path":"/home/ada/shop/tax.py","old_string":"a\nb","new_string":"a\nc"}`, []string{"tax.py"}, "tax.py  + c"},
		{`{"filePath":"tax.py","edits":[{"oldString":"x","newString":""},{"oldString":"","newString":"y"}]}`, nil, "tax.py  + y"},
		{`{"path":"new.py","content":"\n  first\nsecond\n"}`, nil, "new.py  + first"},
		{`{"pattern":"round","path":"src"}`, []string{"src"}, "round  src"},
		{`{"description":"Explore","prompt":"Find it"}`, nil, "Find it"},
		{`{"todos":[1]}`, nil, `{"todos":[1]}`},
		{"*** Begin Patch", []string{"tax.py"}, "tax.py"},
		{"free text\nmore", nil, "free text"},
		{`["a list"]`, nil, `["a list"]`},
		{`null`, nil, "null"},
		{"", nil, ""},
	} {
		if got := session.CallOf(&session.Event{Text: tt.text, Paths: tt.paths}).Line(); got != tt.want {
			t.Errorf("%s\n%q, want %q", tt.text, got, tt.want)
		}
	}
	said := session.CallOf(&session.Event{Text: `{"b":["x",{"c":"y"}],"a":"z","n":1}`}).Says()
	if want := []string{"z", "x", "y"}; !slices.Equal(said, want) {
		t.Errorf("says %q, want %q", said, want)
	}
}
