package web_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
	"engram/web"
)

// TestLightRAG: what its server answers, as it is, becomes passages.
func TestLightRAG(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		want   []memory.Retrieved
	}{
		"data": {`{"status":"success","message":"Query executed successfully","data":{
			"entities":[{"entity_name":"A","entity_type":"CONCEPT","description":"d","source_id":"chunk-1<SEP>chunk-2","file_path":"a.go<SEP>b.go","reference_id":"1"}],
			"relationships":[{"src_id":"A","tgt_id":"B","description":"d","keywords":"k","weight":1.0,"source_id":"chunk-1","file_path":"c.go","reference_id":"3"}],
			"chunks":[{"content":"func A() {}","file_path":"a.go","chunk_id":"chunk-1","reference_id":"1"},{"content":"by reference","file_path":"","chunk_id":"chunk-9","reference_id":"2"},{"content":" ","file_path":"a.go"}],
			"references":[{"reference_id":"1","file_path":"a.go"},{"reference_id":"2","file_path":"docs/d.md"},{"reference_id":"4","file_path":"unknown_source"}]},
			"metadata":{"query_mode":"mix","keywords":{"high_level":["x"],"low_level":[]},"processing_info":{"final_chunks_count":2}}}`,
			[]memory.Retrieved{{Text: "func A() {}", Path: "a.go"}, {Text: "by reference", Path: "docs/d.md"}, {Path: "b.go"}, {Path: "c.go"}}},
		"data without anything": {`{"status":"success","message":"","data":{"entities":[],"relationships":[],"chunks":[],"references":[]},"metadata":{}}`, nil},
		"query":                 {`{"response":"Answer [1].","references":[{"reference_id":"1","file_path":"a.go","content":["one","two"]},{"reference_id":"2","file_path":"b.go","content":null}]}`, []memory.Retrieved{{Text: "one", Path: "a.go"}, {Text: "two", Path: "a.go"}, {Path: "b.go"}}},
		"query, one text":       {`{"response":"Answer","references":[{"reference_id":"1","file_path":"a.go","content":"one"}]}`, []memory.Retrieved{{Text: "one", Path: "a.go"}}},
		"query, no references":  {`{"response":"I do not know.","references":null}`, nil},
	} {
		got, err := web.Passages([]byte(c.answer))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
	for _, answer := range []string{"", "null", "[]", "{}", `{"data":[]}`, `{"status":"failure","message":"m","data":{}}`, `{"references":"a.go"}`} {
		if got, err := web.Passages([]byte(answer)); err == nil {
			t.Errorf("%s: %v", answer, got)
		}
	}
}

func FuzzLightRAG(f *testing.F) {
	f.Add([]byte(`{"response":"Answer","references":[{"reference_id":"1","file_path":"a.go<SEP>b.go","content":["one"]}]}`))
	f.Add([]byte(`{"status":"success","data":{"chunks":[{"content":"x","file_path":"a.go"}],"references":[{"file_path":"a.go"}],"entities":[{"file_path":"b.go"}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := web.Passages(b)
		for _, p := range got {
			if err != nil || p.Path == "" {
				t.Errorf("%+v, %v", p, err)
			}
		}
	})
}
