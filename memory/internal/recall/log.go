package recall

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Entry is one recall in the log: counts and ids, never a text.
type Entry struct {
	At         time.Time `json:"at"`
	Session    string    `json:"session_id,omitempty"`
	Task       string    `json:"task,omitempty"`
	Agent      string    `json:"agent_id,omitempty"`
	Queries    int       `json:"queries"`
	Hops       int       `json:"hops"`
	Candidates int       `json:"candidates"`
	Returned   []string  `json:"returned"`
	Tokens     int       `json:"tokens"`
	Budget     int       `json:"budget"`
	Millis     float64   `json:"ms"`
}

const (
	logName = "recalls.jsonl"
	// maxLog is the size at which the log is begun again; the one before is kept.
	maxLog = 1 << 20
)

// log notes a recall. A failure is not the caller's.
func (r *Recaller) log(in Input, result Result, took time.Duration) {
	e := Entry{
		At: r.Moment().UTC(), Session: in.Session, Task: result.Task, Agent: in.AskedBy, Queries: len(in.Queries), Hops: result.Hops,
		Candidates: result.Candidates, Returned: []string{}, Tokens: result.Tokens, Budget: result.Budget, Millis: float64(took.Microseconds()) / 1000,
	}
	for _, item := range result.Items {
		e.Returned = append(e.Returned, item.Pointer)
	}
	line, err := json.Marshal(e)
	if err == nil {
		err = appendLine(r.logFile(), append(line, '\n'))
	}
	if err != nil {
		r.Memory.Log.Debug("a recall was not logged", "error", err)
	}
}

func appendLine(name string, line []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if info, err := os.Stat(name); err == nil && info.Size() > maxLog {
		if err := os.Rename(name, name+".1"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// LoggedInput narrows the list of recalls.
type LoggedInput struct {
	Session string `json:"session_id,omitempty"`
	Agent   string `json:"agent_id,omitempty"`
	Limit   int    `json:"limit,omitempty"` // 0: all
}

// Logged lists the recalls in this clone's log, newest first. The log has the last one to two
// megabytes of them, some thousands.
func (r *Recaller) Logged(in LoggedInput) (list []Entry, err error) {
	name := r.logFile()
	for _, name := range []string{name + ".1", name} {
		data, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			var e Entry
			if json.Unmarshal(line, &e) != nil { // cut off by a crash
				continue
			}
			if (in.Session == "" || e.Session == in.Session) && (in.Agent == "" || e.Agent == in.Agent) {
				list = append(list, e)
			}
		}
	}
	slices.Reverse(list)
	if in.Limit > 0 {
		list = list[:min(in.Limit, len(list))]
	}
	return list, nil
}

func (r *Recaller) logFile() string {
	return filepath.Join(r.Store.CommonDir(), "engram", "sessions", logName)
}
