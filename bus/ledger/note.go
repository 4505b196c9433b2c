package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

const (
	eventsName   = "events.jsonl"
	olderName    = "events.1.jsonl"
	countersName = "counters.json"
)

// MaxLog bounds a file of events, in bytes; the previous file is kept too.
const MaxLog = 4 << 20

// Note adds an event to the log and to the counters. Free text is removed from the event
// (clean). A process that dies in between loses one count.
func (l *Ledger) Note(ctx context.Context, e Event) error {
	if e.Time.IsZero() {
		e.Time = l.moment()
	}
	e, err := l.clean(e)
	if err != nil {
		return err
	}
	return update(ctx, l, countersName, false, func(s *sums) error {
		s.add(&e)
		line, err := json.Marshal(e)
		if err == nil {
			err = l.appendLine(append(line, '\n'))
		}
		if err != nil {
			return fmt.Errorf("log %s: %w", e.Name, err)
		}
		return nil
	})
}

// appendLine appends a line under the lock of the counters.
func (l *Ledger) appendLine(line []byte) error {
	path := l.path(eventsName)
	if info, err := os.Stat(path); err == nil && info.Size()+int64(len(line)) > MaxLog {
		if err := os.Rename(path, l.path(olderName)); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err = f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			line = append([]byte{'\n'}, line...) // the previous writer died during its write
		}
	}
	if err == nil {
		_, err = f.Write(line)
	}
	return errors.Join(err, f.Close())
}

// Events returns the last events, at most a number of them (0: all), the newest last.
// Unreadable lines are omitted.
func (l *Ledger) Events(last int) ([]Event, error) {
	var list []Event
	for _, name := range []string{olderName, eventsName} {
		raw, err := os.ReadFile(l.path(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read events: %w", err)
		}
		for line := range bytes.Lines(raw) {
			var e Event
			if json.Unmarshal(line, &e) == nil && e.Name != "" {
				list = append(list, e)
			}
		}
	}
	if last > 0 && len(list) > last {
		list = list[len(list)-last:]
	}
	return list, nil
}

// Counters returns the sums over all events.
func (l *Ledger) Counters() (Counters, error) {
	s, err := read[sums](l, countersName)
	return s.Counters.made(), err
}
