package preview

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"unicode/utf8"
)

var newline = []byte("\n")

// signatures are how files begin that are no text.
var signatures = []struct{ start, mediaType string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"%PDF-", "application/pdf"},
	{"PK\x03\x04", "application/zip"},
	{"\x1f\x8b", "application/gzip"},
	{"\x7fELF", "application/x-elf"},
	{"SQLite format 3\x00", "application/vnd.sqlite3"},
}

// byExtension are media types by the extension of a name.
var byExtension = map[string]string{
	".json": "application/json", ".jsonl": "application/x-ndjson", ".ndjson": "application/x-ndjson",
	".md": "text/markdown", ".markdown": "text/markdown", ".csv": "text/csv", ".tsv": "text/tab-separated-values",
	".html": "text/html", ".xml": "text/xml", ".yaml": "text/yaml", ".yml": "text/yaml", ".svg": "text/xml",
	".go": "text/x-go", ".py": "text/x-python", ".js": "text/javascript", ".mjs": "text/javascript", ".jsx": "text/javascript",
	".ts": "text/x-typescript", ".tsx": "text/x-typescript", ".java": "text/x-java", ".kt": "text/x-kotlin", ".rs": "text/x-rust",
	".c": "text/x-c", ".h": "text/x-c", ".cc": "text/x-c++", ".cpp": "text/x-c++", ".hpp": "text/x-c++", ".cs": "text/x-csharp",
	".rb": "text/x-ruby", ".php": "text/x-php", ".swift": "text/x-swift", ".scala": "text/x-scala", ".sh": "text/x-shellscript",
	".sql": "text/x-sql", ".lua": "text/x-lua", ".ex": "text/x-elixir", ".zig": "text/x-zig",
}

// guess returns the media type of a content.
func guess(name string, data []byte) string {
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s.start)) {
			return s.mediaType
		}
	}
	if len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP" {
		return "image/webp"
	}
	if isBinary(data) {
		return "application/octet-stream"
	}
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) > 1 && (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid(trimmed) {
		return "application/json"
	}
	if t := byExtension[strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/")))]; t != "" {
		return t
	}
	return "text/plain"
}

// isBinary reports whether a content is no text: it has NUL bytes, or much of it is no
// UTF-8, in its first 8 KiB.
func isBinary(data []byte) bool {
	head := data[:min(len(data), 8<<10)]
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	bad := 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\n' && r != '\t' && r != '\r' && r != 0x1b && r != '\b' {
			bad++
		}
		i += n
	}
	return bad > 4 && bad > len(head)/5
}
