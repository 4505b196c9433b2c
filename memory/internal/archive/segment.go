package archive

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"engram/gitstore"
)

// The files of a session (docs/sessions.md).
const (
	headerFile  = "session.json"
	eventsFile  = "events.jsonl"
	artifacts   = "artifacts"
	maxSegment  = 1 << 20  // bytes of events
	maxPart     = 16 << 20 // bytes of a part of an artifact
	perFolder   = 100      // segments
	maxOneEvent = 64 << 20 // bytes that a reader accepts for a segment of one event
)

// segment is a segment of a session.
type segment struct {
	name   string // NNNN/MM-EVENT
	object string
	size   int64
}

// segments returns the segments among some files, by name.
func segments(files []gitstore.ThreadFile) []segment {
	var list []segment
	for _, f := range files {
		if folder, name := path.Split(f.Path); name == eventsFile {
			list = append(list, segment{strings.TrimSuffix(folder, "/"), f.Object, f.Size})
		}
	}
	slices.SortFunc(list, func(a, b segment) int { return strings.Compare(a.name, b.name) })
	return list
}

// number returns the number of a segment, or -1 if its name is not one of a segment.
func (s segment) number() int {
	high, rest, _ := strings.Cut(s.name, "/")
	low, _, _ := strings.Cut(rest, "-")
	h, err := strconv.Atoi(high)
	l, err2 := strconv.Atoi(low)
	if err != nil || err2 != nil {
		return -1
	}
	return h*perFolder + l
}

// first returns the id of the first event of a segment.
func (s segment) first() string {
	_, rest, _ := strings.Cut(s.name, "-")
	id, _, _ := strings.Cut(rest, "-")
	return id
}

// segmentName names the segment with a number and a first event.
func segmentName(number int, first string) string {
	return fmt.Sprintf("%04d/%02d-%s", number/perFolder, number%perFolder, first)
}

// digestOf returns the digest of the artifact that a file is, or is a part of; "" for
// other files.
func digestOf(file string) string {
	parts := strings.Split(file, "/")
	if len(parts) < 4 || parts[2] != artifacts {
		return ""
	}
	return parts[3]
}
