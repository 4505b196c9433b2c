package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"engram/index/events"
	"engram/session"
	"engram/session/journal"
)

// Bounds of what a search reads of journals, the newest events first.
const (
	tailEvents  = 256
	tailBytes   = 256 << 10 // of lines
	tailContent = 128 << 10 // of artifacts
)

// tail has the newest events of the journals, kept as long as no journal changes.
type tail struct {
	mu   sync.Mutex
	name string // of the journals that it was made from
	made *events.Tail
	cut  bool // the journals have more
}

// tail returns the newest events that are not sealed, for a search; nil if there are none. cut
// says that there are more.
func (a *Archive) tail(ctx context.Context) (made *events.Tail, cut bool, err error) {
	live, err := journal.Live(a.Folder("live"))
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(live, func(x, y journal.Info) int { return y.Modified.Compare(x.Modified) })
	var name strings.Builder
	for _, j := range live {
		fmt.Fprintf(&name, "%s %d %d\n", j.ID, j.Size, j.Modified.UnixNano())
	}
	t := a.kept
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.name == name.String() {
		return t.made, t.cut, nil
	}
	t.name, t.made, t.cut = "", nil, false
	docs, cut, err := a.tailDocs(ctx, live)
	if err != nil {
		return nil, false, err
	}
	if len(docs) > 0 {
		if t.made, err = events.NewTail(docs); err != nil {
			return nil, false, err
		}
	}
	t.name, t.cut = name.String(), cut
	return t.made, cut, nil
}

// tailDocs reads the newest events of journals, of which the newest come first.
func (a *Archive) tailDocs(ctx context.Context, live []journal.Info) (docs []events.Doc, cut bool, err error) {
	bytes, content := int64(tailBytes), tailContent
	for _, j := range live {
		if !session.CheckID(j.ID) {
			continue
		}
		if bytes <= 0 || len(docs) >= tailEvents {
			return docs, true, nil
		}
		lines, whole, err := a.Journal(j.ID).Tail(ctx, bytes)
		if err != nil {
			return nil, false, err
		}
		cut = cut || !whole
		s, folder, client := &Session{ID: j.ID, a: a}, "", ""
		if state, err := a.State(j.ID); err == nil { // without it, paths stay as the client writes them
			folder, client = state.Header.Folder, state.Header.Client
		}
		for _, line := range slices.Backward(lines) {
			if len(docs) >= tailEvents {
				cut = true
				break
			}
			bytes -= int64(len(line)) + 1
			e, err := session.ParseLine(line)
			if err != nil {
				continue
			}
			doc := s.document(ctx, &e)
			content -= s.addContent(&doc, &e, content)
			doc.Client = client
			for i, path := range doc.Paths {
				doc.Paths[i] = a.inRepository(path, folder)
			}
			docs = append(docs, doc)
		}
	}
	return docs, cut, nil
}

// addContent adds what an event's artifacts say, up to so many bytes, and returns how many it added.
func (s *Session) addContent(doc *events.Doc, e *session.Event, most int) (added int) {
	for _, artifact := range e.Artifacts {
		if !isText(artifact.MediaType) || added >= most {
			continue
		}
		data, err := s.a.Journal(s.ID).Artifact(artifact.Digest)
		if err != nil {
			continue // it was sealed or archived: the preview stands for it
		}
		if left := most - added; len(data) > left {
			data = append(data[:left/2:left/2], data[len(data)-left/2:]...)
		}
		doc.Text += "\n" + strings.ToValidUTF8(string(data), " ")
		added += len(data)
	}
	return added
}
