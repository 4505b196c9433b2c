package hooks

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"engram/internal/lazyregexp"
)

// The first and last line of engram's part of a hook.
const (
	beginMark = "# >>> engram hooks >>>"
	endMark   = "# <<< engram hooks <<<"
)

// role says how engram's lines are part of a hook.
type role int

// The roles.
const (
	own    role = iota // the file is engram's
	guest              // the lines are in a shell script of another tool
	before             // the file is engram's and runs a hook that was renamed
)

// savedSuffix is the suffix of a hook that was renamed.
const savedSuffix = ".engram-saved"

// ownNote marks a file of engram's.
const ownNote = "# This file is engram's."

// script describes engram's lines in one hook.
type script struct {
	hook   string
	binary string // absolute path of the engram that installs the hook
	branch string // the memory branch
	role   role
}

// lines returns engram's lines with their markers. They are POSIX sh, work under -e and -u,
// and change nothing for the lines after them but variables whose names begin with engram.
// Only exit status 4 of what they run stops git, in the two hooks that can stop it.
//
//  1. The lines do nothing in a git process of engram's (ENGRAM_INSIDE).
//  2. They do nothing if the same hook with the same arguments runs them already
//     (ENGRAM_HOOKS): tools that rename a hook run it from their own.
//  3. Standard input is left to the lines after them. The two hooks that get the
//     references on it keep a copy and pass that on.
func (s script) lines() []string {
	lines := []string{beginMark, "# They keep the memory up to date; `engram hooks uninstall` removes them."}
	if s.role != guest {
		lines[1] = ownNote + " It keeps the memory up to date; `engram hooks uninstall` removes it."
	}
	if s.hook == ReferenceTransaction {
		lines = append(lines, s.transaction()...)
	} else {
		lines = append(lines, s.guarded()...)
	}
	if s.role == before {
		lines = append(lines, `engram="${0%/*}/`+s.hook+savedSuffix+`"`, `[ ! -x "$engram" ] || exec "$engram" "$@"`)
	}
	return append(lines, endMark)
}

// guarded returns the lines of every hook but reference-transaction.
func (s script) guarded() []string {
	token := "<" + s.hook + ` $PWD $*>`
	again := ";;"
	if s.role == before {
		again = "exit 0 ;;" // the renamed hook runs this one
	}
	var lines []string
	if s.handsOn() {
		lines = append(lines, `engram_in=$(cat)`)
	}
	lines = append(lines,
		`case "${ENGRAM_HOOKS-}" in`,
		`*"`+token+`"*) `+again,
		`*)`,
		`	ENGRAM_HOOKS="${ENGRAM_HOOKS-}`+token+`"; export ENGRAM_HOOKS`,
		`	if [ -z "${ENGRAM_INSIDE-}" ]`+s.condition()+`; then`)
	for _, line := range s.run() {
		lines = append(lines, "\t\t"+line)
	}
	lines = append(lines, `	fi ;;`, `esac`)
	if s.handsOn() {
		lines = append(lines, handOn()...)
	}
	return lines
}

// handsOn reports whether the lines after these want to read standard input too.
func (s script) handsOn() bool { return s.hook == PrePush && s.role != own }

// handOn makes the copy standard input again.
func handOn() []string {
	return []string{`if [ -n "$engram_in" ]; then exec <<ENGRAM_STDIN`, `$engram_in`, `ENGRAM_STDIN`, `else exec </dev/null; fi`}
}

// condition avoids starting engram if there is nothing to do: for a commit of a rebase in
// progress, and a checkout of single files.
func (s script) condition() string {
	switch s.hook {
	case PostCommit:
		return ` && [ ! -d "${GIT_DIR:-.git}/rebase-merge" ]`
	case PostCheckout:
		return ` && [ "${3-1}" = 1 ]`
	}
	return ""
}

// run finds engram and runs it, if there is one.
func (s script) run() []string {
	call := `"$engram" hooks run ` + s.hook + ` "$@"`
	failure := `:`
	switch s.hook {
	case PreCommit:
		call, failure = call+" </dev/null", "[ $? -ne 4 ] || exit 1"
	case PrePush:
		failure = "[ $? -ne 4 ] || exit 1"
		if s.role != own {
			call = `printf '%s\n' "$engram_in" 2>/dev/null | ` + call
		}
	default:
		call += " </dev/null"
	}
	return []string{
		`engram=` + quote(s.binary),
		`[ -x "$engram" ] || engram=$(command -v engram 2>/dev/null) || engram=`,
		`[ -z "$engram" ] || ` + call + ` || ` + failure,
	}
}

// transaction starts engram only if the memory branch has moved, here or on a remote.
func (s script) transaction() []string {
	ref := `refs/heads/` + quote(s.branch) + `|refs/remotes/*/` + quote(s.branch)
	read := `while read -r engram_old engram_new engram_ref; do`
	loop := []string{
		`	` + read + ` case $engram_ref in ` + ref + `) engram_moved=1 ;; esac; done`,
	}
	if s.role == guest {
		loop = append([]string{`	engram_in=$(cat)`}, loop...)
		loop[1] += ` <<ENGRAM_STDIN`
		loop = append(loop, `$engram_in`, `ENGRAM_STDIN`)
	}
	lines := append([]string{`if [ "${1-}" = committed ] && [ -z "${ENGRAM_INSIDE-}" ]; then`, `	engram_moved=`}, loop...)
	lines = append(lines, `	if [ -n "$engram_moved" ]; then`)
	for _, line := range s.run() {
		lines = append(lines, "\t\t"+line)
	}
	lines = append(lines, `	fi`)
	if s.role == guest {
		lines = append(lines, handOn()...)
	}
	return append(lines, `fi`)
}

// quote quotes a text as one word of sh.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// file returns a whole hook of engram's.
func (s script) file() []byte { return insert([]byte("#!/bin/sh\n"), s.lines()) }

// shebang matches the first line of a script for a POSIX shell.
var shebang = lazyregexp.New(`^#![ \t]*(\S*/)?(env[ \t]+(-S[ \t]+)?)?(\S*/)?(sh|bash|dash|ash|zsh|ksh|mksh)(\.exe)?([ \t].*)?$`)

// isShell reports whether a POSIX shell runs a hook. git runs a text without a shebang with
// sh.
func isShell(content []byte) bool {
	first, _, _ := bytes.Cut(content, []byte("\n"))
	if bytes.HasPrefix(content, []byte("#!")) {
		return shebang.Match(bytes.TrimRight(first, "\r"))
	}
	return utf8.Valid(content) && !bytes.ContainsRune(content, 0)
}

// hasCRLF reports whether the lines of a hook have Windows line ends.
func hasCRLF(content []byte) bool {
	at := bytes.IndexByte(content, '\n')
	return at > 0 && content[at-1] == '\r'
}

// insert inserts lines after the shebang, or at the beginning. If the shebang has no line
// end, the last inserted line has none either, so that remove can restore the file.
func insert(content []byte, lines []string) []byte {
	end := "\n"
	if hasCRLF(content) {
		end = " #\r\n" // the comment hides the \r from sh
	}
	block := strings.Join(lines, end) + end
	if hasCRLF(content) {
		block = strings.ReplaceAll(block, beginMark+" #", beginMark)
		block = strings.ReplaceAll(block, endMark+" #", endMark)
	}
	at := 0
	if bytes.HasPrefix(content, []byte("#!")) {
		at = bytes.IndexByte(content, '\n') + 1
		if at == 0 {
			return append(bytes.Clone(content), "\n"+strings.TrimSuffix(block, "\n")...)
		}
	}
	return bytes.Join([][]byte{content[:at], []byte(block), content[at:]}, nil)
}

// errTorn reports that engram's lines have no end marker.
var errTorn = errors.New("the marker that ends engram's lines is missing")

// remove removes engram's lines; block is nil if there are none. isOwn reports whether
// engram created the file.
func remove(content []byte) (rest, block []byte, isOwn bool, err error) {
	begin := lineAt(content, beginMark, 0)
	if begin < 0 {
		return content, nil, false, nil
	}
	last := lineAt(content, endMark, begin)
	if last < 0 {
		return content, nil, false, errTorn
	}
	end := last + len(endMark)
	cut := begin
	if newline := bytes.IndexByte(content[end:], '\n'); newline >= 0 {
		end += newline + 1
	} else if end = len(content); cut > 0 {
		cut-- // the line before it had no line end
	}
	rest = bytes.Join([][]byte{content[:cut], content[end:]}, nil)
	block = content[begin:end]
	return rest, block, bytes.Contains(block, []byte("\n"+ownNote)), nil
}

// lineAt returns where a line begins that equals a mark; -1 if there is none.
func lineAt(content []byte, mark string, from int) int {
	for at := from; at < len(content); {
		end := bytes.IndexByte(content[at:], '\n')
		line := content[at:]
		if end >= 0 {
			line = content[at : at+end]
		}
		if string(bytes.TrimRight(line, " \t\r")) == mark {
			return at
		}
		if end < 0 {
			break
		}
		at += end + 1
	}
	return -1
}

// bareShebang reports whether a file of engram's has no other lines.
func bareShebang(rest []byte) bool { return string(rest) == "#!/bin/sh\n" }
