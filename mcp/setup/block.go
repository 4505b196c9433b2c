package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The lines around engram's part of a text for agents.
const (
	BeginMarker = "<!-- engram:begin -->"
	EndMarker   = "<!-- engram:end -->"
)

// ErrMarkers reports that a marker is missing or repeated.
var ErrMarkers = errors.New("the markers of engram's block are damaged")

// block is engram's part of a Markdown file. Everything outside it stays.
type block struct {
	// text is the content, with \n as line end and the scopes last.
	text string
}

// about is the first line of a block, by the number of line breaks that were added before
// the block. The line says so in words, so that removing the block restores the text.
var about = [...]string{
	"<!-- `engram setup` keeps this part up to date: write above or below it. -->",
	"<!-- `engram setup` keeps this part up to date, and added the empty line above: write above or below it. -->",
	"<!-- `engram setup` keeps this part up to date, and added the empty line above and the line end before it: write above or below it. -->",
}

// aboutOnce is the format of that line in blocks of earlier versions.
const aboutOnce = "<!-- Kept up to date by `engram setup`, with %d line breaks above: write outside. -->"

// span is the position of a block: from its begin marker to the end of the line of its end
// marker.
type span struct{ start, end int }

// spanOf finds the block of a text; ok is false if there is none. Markers in fenced code
// are examples.
func spanOf(text string) (s span, ok bool, err error) {
	begins, ends := markersOf(text)
	switch {
	case len(begins) == 0 && len(ends) == 0:
		return s, false, nil
	case len(begins) == 1 && len(ends) == 1 && begins[0].start < ends[0].start:
		return span{begins[0].start, ends[0].end}, true, nil
	}
	return s, false, fmt.Errorf("%w: %q occurs %d times, %q %d times", ErrMarkers, BeginMarker, len(begins), EndMarker, len(ends))
}

// markersOf returns the lines that are markers. After a fence that is not closed markers
// count: setup may have put the block at the end of such a text.
func markersOf(text string) (begins, ends []span) {
	var open fence
	var outside [2]int // markers before the open fence
	for pos := 0; pos < len(text); {
		end := pos + lineLength(text[pos:])
		if end < len(text) {
			end++
		}
		line := strings.TrimPrefix(text[pos:end], byteOrderMark)
		at := span{end - len(line), end}
		switch strings.TrimSpace(line) {
		case BeginMarker:
			begins = append(begins, at)
		case EndMarker:
			ends = append(ends, at)
		default:
			switch {
			case open.length == 0:
				open, outside = opening(line), [2]int{len(begins), len(ends)}
			case open.closedBy(line):
				open, begins, ends = fence{}, begins[:outside[0]], ends[:outside[1]]
			}
		}
		pos = end
	}
	return begins, ends
}

// breaksOf returns the number in a block's first line; 0 if there is none.
func breaksOf(text string) (n int) {
	lines := strings.SplitN(text, "\n", 3)
	if len(lines) < 2 {
		return 0
	}
	first := strings.TrimSpace(lines[1])
	if n := slices.Index(about[:], first); n >= 0 {
		return n
	}
	_, _ = fmt.Sscanf(first, aboutOnce, &n)
	return min(max(n, 0), len(about)-1)
}

func (b block) lines(breaks int, nl string) string {
	text := BeginMarker + "\n" + about[breaks] + "\n\n" + strings.TrimSpace(b.text) + "\n\n" + EndMarker
	return strings.ReplaceAll(text, "\n", nl)
}

// put replaces the block, or adds it at the end.
func (b block) put(text string) (string, error) {
	nl := newlineOf(text)
	at, there, err := spanOf(text)
	if err != nil {
		return text, err
	}
	if there {
		old := text[at.start:at.end]
		return text[:at.start] + b.lines(breaksOf(old), newlineOf(old)) + lineEnd(old) + text[at.end:], nil
	}
	breaks := 0
	switch body := strings.TrimPrefix(text, byteOrderMark); {
	case body == "" || strings.HasSuffix(body, "\n"+nl):
	case strings.HasSuffix(body, nl):
		breaks = 1
	default:
		breaks = 2
	}
	return text + strings.Repeat(nl, breaks) + b.lines(breaks, nl) + nl, nil
}

func lineEnd(text string) string {
	switch {
	case strings.HasSuffix(text, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(text, "\n"):
		return "\n"
	}
	return ""
}

// take removes the block and the line breaks that were added with it.
func (b block) take(text, _ string) (string, error) {
	at, there, err := spanOf(text)
	if err != nil || !there {
		return text, err
	}
	before, after := text[:at.start], text[at.end:]
	if own := text[at.start:at.end]; after == "" {
		for range breaksOf(own) {
			before = strings.TrimSuffix(before, newlineOf(own))
		}
	}
	return before + after, nil
}

func (b block) holds(text string) bool {
	_, there, err := spanOf(text)
	return there || err != nil
}

// current reports whether a text has this block, apart from the scopes.
func (b block) current(text string) bool {
	at, there, err := spanOf(text)
	if err != nil || !there {
		return false
	}
	want, _ := b.put(text)
	wanted, _, _ := spanOf(want)
	return withoutScopes(text[at.start:at.end]) == withoutScopes(want[wanted.start:wanted.end])
}

// withoutScopes returns a block up to its last section.
func withoutScopes(text string) string {
	upTo, _, _ := strings.Cut(text, scopesHeading)
	return upTo
}
