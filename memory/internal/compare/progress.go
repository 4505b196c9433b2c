package compare

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/core"
)

// ProgressFile keeps what an audit has examined so far, so that the next one continues
// if it is interrupted. It is local to the clone: a line of JSON that says what is
// audited, then a line for each step, of which the last may be torn.
const ProgressFile = ".progress.jsonl"

// progressEvery is how often a step is written: at most so much work is done twice.
const progressEvery = 2 * time.Second

// ProgressOf says what is audited. The progress of another audit is of no use.
type ProgressOf struct {
	From   string `json:"from"` // a revision; "" if everything is
	Rules  int    `json:"rules"`
	Models bool   `json:"models"` // pairs are kept for models
}

// step is what was examined since the step before.
type step struct {
	Done  []string `json:"done"`  // facts, by blob
	Pairs []byte   `json:"pairs"` // that were compared: pairID after pairID
	// Again are the pairs to compare again, because something was found.
	Again []again `json:"again,omitempty"`
}

type again struct {
	A        string  `json:"a"` // blobs
	B        string  `json:"b"`
	Priority float64 `json:"priority,omitempty"`
}

// progress writes the steps of an examination.
type progress struct {
	path    string
	of      ProgressOf
	started bool // the file is this examination's
	written time.Time
	next    step
}

// Resume continues an audit that was interrupted, and keeps the progress of this one. It
// returns the facts that need not be examined, by blob.
func (e *Examiner) Resume(ctx context.Context, of ProgressOf) (done map[string]bool, err error) {
	e.progress = &progress{path: e.m.AuditPath(ProgressFile), of: of, written: time.Now()}
	steps := e.progress.read()
	done = make(map[string]bool)
	for _, s := range steps {
		for _, blob := range s.Done {
			done[blob] = true
		}
		for ids := s.Pairs; len(ids) >= pairSize; ids = ids[pairSize:] {
			e.seen[pairID{binary.BigEndian.Uint64(ids), binary.BigEndian.Uint64(ids[8:])}] = true
		}
	}
	for _, s := range steps {
		for _, p := range s.Again {
			list, err := e.Read(ctx, []string{p.A, p.B})
			if err != nil {
				return nil, err
			}
			if len(list) == 2 && !e.Compare(ctx, Pairing{list[0], list[1], p.Priority}) && e.KeepUnsettled {
				e.Unsettled = append(e.Unsettled, Pairing{list[0], list[1], p.Priority})
			}
		}
	}
	return done, nil
}

const pairSize = 16 // bytes of a pairID

// read returns the steps of the same audit.
func (p *progress) read() (steps []step) {
	f, err := os.Open(p.path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return steps // the last line was torn
		}
		var of ProgressOf
		var s step
		switch {
		case p.started:
			if json.Unmarshal(line, &s) == nil { // else a line that was torn, and what ended it
				steps = append(steps, s)
			}
		case json.Unmarshal(line, &of) != nil || of != p.of:
			return nil
		default:
			p.started = true
		}
	}
}

// examined notes facts that were compared with all their candidates, and the pairs that
// this took.
func (e *Examiner) examined(list []*core.AnalyzedFact, pairs []ranked) {
	if e.progress == nil {
		return
	}
	next := &e.progress.next
	for _, s := range list {
		if s.Fact.StateAt(e.Now) != facts.Scheduled { // whoever continues has to know of it, too
			next.Done = append(next.Done, s.Blob)
		}
	}
	for _, p := range pairs {
		id := p.id()
		next.Pairs = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(next.Pairs, id[0]), id[1])
		if p.unsettled || p.found && p.finding.Grade != detect.GradeRelated {
			next.Again = append(next.Again, again{p.First.Blob, p.Second.Blob, p.priority})
		}
	}
	if time.Since(e.progress.written) >= progressEvery {
		e.KeepProgress()
	}
}

// KeepProgress writes what was examined since the last step. A failure is only logged: then
// an interrupted audit begins from scratch.
func (e *Examiner) KeepProgress() {
	p := e.progress
	if p == nil || len(p.next.Done) == 0 {
		return
	}
	if err := p.append(); err != nil {
		e.m.Log.Warn("progress of the audit not stored", "error", err)
	}
	p.next, p.written = step{}, time.Now()
}

// append writes into the folder of the audit's lock, which is there.
func (p *progress) append() error {
	flags, lines := os.O_WRONLY|os.O_APPEND, []any{p.next}
	if !p.started {
		flags, lines = os.O_WRONLY|os.O_CREATE|os.O_TRUNC, []any{p.of, p.next}
	}
	f, err := os.OpenFile(p.path, flags, 0o644)
	if err != nil {
		return err
	}
	p.started = true
	w := bufio.NewWriter(f)
	if flags&os.O_APPEND != 0 {
		err = w.WriteByte('\n') // ends a line that was torn
	}
	for _, line := range lines {
		if err == nil {
			err = json.NewEncoder(w).Encode(line)
		}
	}
	if err == nil {
		err = w.Flush()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// EndProgress forgets the progress of an audit that is complete.
func (e *Examiner) EndProgress() {
	if p := e.progress; p != nil && p.started {
		_ = os.Remove(p.path)
	}
}
