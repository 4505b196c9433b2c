package preview

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"engram/internal/lazyregexp"
)

// counted says how many lines a text has.
func counted(data []byte) string {
	n := bytes.Count(data, newline)
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return fmt.Sprintf("%d %s, %s", n, plural(n, "line"), size(len(data)))
}

// mostLooked is how many lines are looked at for one that is worth showing.
const mostLooked = 20_000

// head returns the first lines of a text that are not blank.
func head(data []byte, n int) (found []string) {
	looked := 0
	for line := range bytes.Lines(data) {
		if looked++; looked > mostLooked {
			break
		}
		if text := clean(string(line[:min(len(line), longLine)])); strings.TrimSpace(text) != "" {
			if found = append(found, text); len(found) == n {
				break
			}
		}
	}
	return found
}

// tail returns the last lines of a text that are not blank.
func tail(data []byte, n int) []string {
	found := make([]string, n)
	at := n
	for looked := 0; len(data) > 0 && at > 0 && looked < mostLooked; looked++ {
		start := bytes.LastIndexByte(bytes.TrimSuffix(data, newline), '\n') + 1
		line := data[start:]
		if text := clean(string(line[:min(len(line), longLine)])); strings.TrimSpace(text) != "" {
			at--
			found[at] = text
		}
		data = data[:start]
	}
	return found[at:]
}

// ends previews a text of unknown form: its beginning and its end.
func ends(o *output, data []byte) {
	o.line(counted(data), 100)
	if bytes.Count(data, newline) < 12 && len(data) > 2*longLine { // long lines
		o.line(clean(string(data[:longLine])), 600)
		o.line(dots, 10)
		o.line(clean(strings.ToValidUTF8(string(data[len(data)-400:]), "")), 400)
		return
	}
	first, last := head(data, 6), tail(data, 4)
	if bytes.Count(data, newline) < 10 {
		first, last = head(data, 10), nil
	}
	o.lines(first, o.left*6/10)
	if last != nil {
		o.line(dots, 10)
		o.lines(last, o.left)
	}
}

// log previews the output of a command, a log or a stack trace: the first line that tells
// of an error, with its number, and the last ten lines.
func log(o *output, data []byte) {
	o.line(counted(data), 100)
	if number, line := firstError(data); number > 0 {
		o.line(strconv.Itoa(number)+": "+clean(line), 240)
	}
	o.line(dots, 10)
	o.lines(tail(data, 10), o.left)
}

var (
	failure = lazyregexp.New(`(?i)\b(error|fatal|panic|exception|failure|failed)(\[\w+\])?:` +
		`|^\W*(error|fatal|panic|failed|failure|fail)\b|traceback \(most recent|--- fail|segmentation fault|assertion ?(error|failed)` +
		`|[a-z](Error|Exception)\b|\bfailed (to|with)\b|\bcannot (find|open|load|resolve|import)\b` +
		`|no such file or directory|permission denied|undefined(:| reference)`)
	noFailure = lazyregexp.New(`(?i)\b(0|no|without) (errors?|failures?|failed)\b|\berrors?[:=] ?0\b|fail(ed|ures?)?[:=] ?0\b`)
)

// firstError returns the first line that tells of an error, and its number from 1; 0 if
// there is none.
func firstError(data []byte) (number int, text string) {
	looked := 0
	for line := range bytes.Lines(data) {
		number++
		if line = line[:min(len(line), longLine)]; len(line) < 5 || !hint(line) {
			continue
		}
		if looked++; looked > mostLooked {
			break
		}
		if failure.Match(line) && !noFailure.Match(line) {
			return number, string(line)
		}
	}
	return 0, ""
}

// hint reports whether a line may tell of an error; quicker than the expression.
func hint(line []byte) bool {
	for _, part := range []string{"rror", "RROR", "ail", "AIL", "atal", "ATAL", "anic", "PANIC", "xception", "EXCEPTION", "raceback",
		"egmentation", "ssert", "annot ", "o such file", "enied", "ndefined"} {
		if bytes.Contains(line, []byte(part)) {
			return true
		}
	}
	return false
}

// hasError reports whether the text looks like the output of something that failed.
func hasError(data []byte) bool {
	number, _ := firstError(data[:min(len(data), 1<<20)])
	if number == 0 {
		number, _ = firstError(data[max(0, len(data)-64<<10):])
	}
	return number > 0
}

// isShell reports whether a tool runs commands.
func isShell(tool string) bool {
	switch tool {
	case "bash", "shell", "local_shell", "run_shell_command", "exec", "exec_command", "terminal", "bashoutput", "taskoutput", "execute_command":
		return true
	}
	return false
}

// isTable reports whether a text is a table: by its type, or because its first lines have
// the same number of separators.
func isTable(mediaType string, data []byte) bool {
	if mediaType == "text/csv" || mediaType == "text/tab-separated-values" {
		return true
	}
	if mediaType != "text/plain" {
		return false
	}
	return separator(data) != 0
}

// separator returns what stands between the fields of a table; 0 if the text is not a table.
func separator(data []byte) byte {
	for _, s := range []struct {
		c    byte
		most int // as few as a table must have
	}{{'\t', 1}, {',', 2}, {';', 2}, {'|', 2}} {
		rows, columns := 0, 0
		for line := range bytes.Lines(data[:min(len(data), 64<<10)]) {
			n := bytes.Count(line, []byte{s.c})
			if rows == 0 {
				columns = n
			}
			if n != columns || n < s.most {
				rows = 0
				break
			}
			if rows++; rows == 20 {
				break
			}
		}
		if rows >= 4 {
			return s.c
		}
	}
	return 0
}

// table previews a table: its header, two rows and how many there are. Newlines between
// quotes are no new rows.
func table(o *output, data []byte) {
	var found []string
	records, quoted, start := 0, false, 0
	for start < len(data) {
		end := start
		for end < len(data) {
			n := bytes.IndexByte(data[end:], '\n')
			if n < 0 {
				n = len(data) - end - 1
			}
			if bytes.Count(data[end:end+n+1], []byte{'"'})%2 == 1 {
				quoted = !quoted
			}
			if end += n + 1; !quoted {
				break
			}
		}
		if row := bytes.TrimSpace(data[start:end]); len(row) > 0 {
			if records++; records <= 3 {
				found = append(found, clean(strings.ReplaceAll(string(row[:min(len(row), longLine)]), "\n", " ")))
			}
		}
		start = end
	}
	o.lines(found, 1000)
	o.line(fmt.Sprintf("%s %d %s, %s", dots, max(0, records-1), plural(records-1, "row"), size(len(data))), 100)
}
