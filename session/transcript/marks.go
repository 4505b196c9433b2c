package transcript

import (
	"path"
	"slices"
	"strings"

	"engram/internal/lazyregexp"
)

// Bounds of what is taken from a record.
const (
	mostPaths = 100
	longPath  = 1024
	mostMarks = 100
)

// paths returns the files that the input of a call names, relative to the working folder
// if they are below it. The input is a JSON object, or a patch.
func paths(input, cwd string) (found []string) {
	add := func(p string) {
		if p = relative(p, cwd); p != "" && len(found) < mostPaths && !slices.Contains(found, p) {
			found = append(found, p)
		}
	}
	if strings.HasPrefix(input, "{") {
		for key, v := range value(input).Fields() {
			switch key {
			case "file_path", "notebook_path", "path", "filePath", "absolute_path", "filename", "file_name", "dir_path", "file":
				add(v.Text())
			case "paths", "file_paths", "files":
				for _, p := range v.Elements() {
					add(p.Text())
				}
			case "input", "patch", "patchText":
				patched(v.Text(), add)
			case "command":
				for _, word := range v.Elements() {
					patched(word.Text(), add)
				}
				patched(v.Text(), add)
			}
		}
		return found
	}
	patched(input, add)
	return found
}

// patched adds the files of a patch in the form of apply_patch.
func patched(text string, add func(string)) {
	_, text, found := strings.Cut(text, "*** Begin Patch")
	if !found {
		return
	}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "*** ")
		if !ok {
			continue
		}
		for _, verb := range []string{"Update File: ", "Add File: ", "Delete File: ", "Move to: "} {
			if p, ok := strings.CutPrefix(rest, verb); ok {
				add(strings.TrimRight(p, "\r\n "))
			}
		}
	}
}

// relative returns a path as it is seen from the working folder, if it is below that; ""
// if it is none, or the folder itself.
func relative(p, cwd string) string {
	if p == "" || len(p) > longPath || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) {
		return ""
	}
	cwd = strings.TrimRight(cwd, `/\`)
	if rest, ok := strings.CutPrefix(p, cwd); ok && cwd != "" && rest != "" && (rest[0] == '/' || rest[0] == '\\') {
		p = strings.TrimLeft(strings.ReplaceAll(rest, `\`, "/"), "/")
	} else if p == cwd {
		return ""
	}
	if p = strings.TrimPrefix(p, "./"); p == "" {
		return ""
	}
	if cleaned := path.Clean(p); cleaned != "." {
		return cleaned
	}
	return ""
}

var (
	committed  = lazyregexp.New(`^\[(?:detached HEAD|[^\s\[\]~^:?*\\]{1,200})(?: \(root-commit\))? ([0-9a-f]{7,40})\] \S`)
	remembered = lazyregexp.New(`^([a-z0-9_.-]+(?:/[a-z0-9_.-]+){2,3})\t(?:add|update|delete)\t[0-9A-HJKMNP-TV-Z]{26}\t[0-9a-f]{7,64}(?:\t|$)`)
	keyField   = lazyregexp.New(`"key":\s*"([a-z0-9_.-]+(?:/[a-z0-9_.-]+){2,3})"`)
	opField    = lazyregexp.New(`"memory_op":\s*"(?:add|update|delete)"`)
)

// shellOutput is what Gemini CLI writes before the output of a command, on its first line.
const shellOutput = "Output: "

// commits returns the commits that git says it made: lines of the form "[branch 1a2b3c4]
// subject".
func commits(text string) (found []string) {
	if !strings.Contains(text, "] ") {
		return nil
	}
	if strings.HasPrefix(text, "{") { // a client's report of a command
		text = reported(text)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(line, shellOutput)
		if !strings.HasPrefix(line, "[") {
			continue
		}
		if m := committed.FindStringSubmatch(line[:min(len(line), 300)]); m != nil && len(found) < mostMarks && !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	return found
}

// factKeys returns the keys of the facts that engram says it committed: lines of its
// command, or its answer in JSON.
func factKeys(text string) (found []string) {
	if !strings.Contains(text, "\tadd\t") && !strings.Contains(text, "\tupdate\t") && !strings.Contains(text, "\tdelete\t") && !strings.Contains(text, `"memory_op"`) {
		return nil
	}
	if strings.HasPrefix(text, "{") {
		text = reported(text)
	}
	if strings.Contains(text, `"fact_id"`) && opField.MatchString(text) {
		if m := keyField.FindStringSubmatch(text); m != nil {
			found = append(found, m[1])
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\r\n"), shellOutput)
		if m := remembered.FindStringSubmatch(line[:min(len(line), 600)]); m != nil && len(found) < mostMarks && !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	return found
}

// reported returns the output of a command from a report {"output": …, "metadata": …}, or
// the text itself.
func reported(text string) string {
	if v := value(text).At("output"); v.Is('"') {
		return v.Text()
	}
	return text
}
