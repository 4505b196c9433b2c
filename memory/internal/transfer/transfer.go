// Package transfer imports and exports facts as JSON lines and YAML.
package transfer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/ask"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Porter imports and exports the facts of a memory.
type Porter struct {
	*core.Memory
	write *write.Writer
}

// New returns the Porter of a memory.
func New(m *core.Memory) *Porter {
	return &Porter{Memory: m, write: write.New(m)}
}

// Format is a format of imports and exports.
type Format string

// The formats.
const (
	JSONL Format = "jsonl" // one Record a line
	YAML  Format = "yaml"  // facts as on the branch, separated by lines of ---
)

// maxLine bounds a line of JSONL, far above what a fact may hold.
const maxLine = 1 << 20

// ImportInput are the settings of an import.
type ImportInput struct {
	Format Format
	Agent  string `json:"agent_id,omitempty" flag:"agent,a,NAME" env:"ENGRAM_AGENT" help:"NAME of the agent, for records that name none"`
	// SkipInvalid omits invalid records. A record with a secret still stops the import.
	SkipInvalid bool `json:"skip_invalid,omitempty" help:"skip records that are not valid"`
}

// ImportResult says what an import did.
type ImportResult struct {
	core.Answer
	Added      int      `json:"added"`
	Updated    int      `json:"updated"`
	Retired    int      `json:"retired"`
	Duplicates int      `json:"duplicates"` // stood already
	Proposed   int      `json:"proposed"`   // of all these: they wait for somebody to accept them
	Rejected   []Reject `json:"rejected"`
}

// Reject is a record that was not imported.
type Reject struct {
	Line    int    `json:"line"`
	Problem string `json:"problem"`
}

// ImportError lists every record at fault; nothing was written.
type ImportError struct {
	Rejected []Reject
}

func (e *ImportError) Error() string {
	first := e.Rejected[0]
	s := fmt.Sprintf("line %d: %s", first.Line, first.Problem)
	if more := len(e.Rejected) - 1; more > 0 {
		s += fmt.Sprintf(" (and %d more)", more)
	}
	return s + "; nothing was imported"
}

// Import writes many facts in one commit. If a record is invalid, nothing is written and
// the error is an *ImportError. A fact that stands already is left alone, so an import
// can be repeated.
func (m *Porter) Import(ctx context.Context, r io.Reader, in ImportInput) (ImportResult, error) {
	records, err := m.readRecords(ctx, r, in)
	if err != nil {
		return ImportResult{}, err
	}
	result := ImportResult{Rejected: []Reject{}}
	var drafts []write.Draft
	for _, rec := range records {
		if rec.err != nil {
			result.Rejected = append(result.Rejected, Reject{rec.line, rec.problem})
		} else {
			drafts = append(drafts, rec.draft)
		}
	}
	if len(result.Rejected) > 0 && !in.SkipInvalid {
		return result, &ImportError{result.Rejected}
	}
	if len(drafts) == 0 {
		tip, _, err := m.Tip(ctx)
		result.Answer = core.AnswerAt(tip)
		return result, err
	}
	written, err := m.write.Write(ctx, drafts, "import")
	if err != nil {
		return result, err
	}
	result.Answer = written[0].Answer
	for _, w := range written {
		if w.Proposed {
			result.Proposed++
		}
		switch facts.Operation(w.MemoryOp) {
		case facts.OpAdd:
			result.Added++
		case facts.OpUpdate:
			result.Updated++
		case facts.OpDelete:
			result.Retired++
		default:
			result.Duplicates++
		}
	}
	return result, nil
}

// imported is a record on its way in.
type imported struct {
	line    int
	draft   write.Draft
	err     error
	problem string // what err says, without secrets
}

// readRecords reads, validates and scans every record.
func (m *Porter) readRecords(ctx context.Context, r io.Reader, in ImportInput) ([]imported, error) {
	_, manifest, err := m.Tip(ctx)
	if err != nil {
		return nil, err
	}
	parse := m.parseJSON
	split := splitLines
	switch in.Format {
	case JSONL:
	case YAML:
		parse, split = parseYAML, splitDocuments
	default:
		return nil, core.UsageErrorf(hint.Hint{}, "format %q is neither jsonl nor yaml", in.Format)
	}
	var records []imported
	b := m.write.NewBinder()
	err = split(r, func(line int, text []byte, err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		rec := imported{line: line, err: err}
		if err == nil {
			rec.draft, rec.err = parse(text)
			rec.draft.Imported, rec.draft.Importer = true, in.Agent
		}
		if rec.err == nil {
			rec.err = b.Bind(ctx, &rec.draft)
		}
		if rec.err == nil {
			rec.draft.Fact.Provenance.Agent = cmp.Or(rec.draft.Fact.Provenance.Agent, in.Agent)
			rec.err = write.Precheck(rec.draft, manifest)
		}
		if rec.err == nil && manifest.WasPurged(rec.draft.Fact.Key) {
			rec.err = fmt.Errorf("%s was purged from this memory; state what holds without the secret with engram commit", rec.draft.Fact.Key)
		}
		if rec.err == nil {
			if err := m.write.Scan(rec.draft); err != nil {
				var secret *core.SecretError
				if errors.As(err, &secret) {
					secret.Line = line
					return fmt.Errorf("line %d: %w", line, err)
				}
				rec.err = err
			}
		}
		if rec.err != nil {
			rec.problem = core.HideSecrets(m.Scanner, rec.err.Error(), string(text))
		}
		records = append(records, rec)
		m.Progress("reading", len(records), 0)
		return nil
	})
	return records, err
}

func (m *Porter) parseJSON(text []byte) (write.Draft, error) {
	var r write.Record
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return write.Draft{}, fmt.Errorf("not a record: %w", err)
	}
	if decoder.More() {
		return write.Draft{}, errors.New("not a record: more than one JSON value on the line")
	}
	return m.write.DraftOfRecord(r)
}

func parseYAML(text []byte) (write.Draft, error) {
	f, err := facts.Parse(text)
	return write.DraftOfFact(f), err
}

func splitLines(r io.Reader, use func(line int, text []byte, err error) error) error {
	br := bufio.NewReaderSize(r, 64<<10)
	for line := 1; ; line++ {
		text, tooLong, err := readLine(br, maxLine)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read import: %w", err)
		}
		if tooLong {
			if err := use(line, nil, fmt.Errorf("the line has more than %d bytes", maxLine)); err != nil {
				return err
			}
		} else if len(bytes.TrimSpace(text)) > 0 {
			if err := use(line, text, nil); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// readLine reads to the end of a line and keeps at most max bytes of it.
func readLine(r *bufio.Reader, max int) (line []byte, tooLong bool, err error) {
	for {
		chunk, err := r.ReadSlice('\n')
		if len(line)+len(chunk) <= max {
			line = append(line, chunk...)
		} else {
			tooLong = true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// splitDocuments cuts a stream at lines of three hyphens.
func splitDocuments(r io.Reader, use func(line int, text []byte, err error) error) error {
	br := bufio.NewReaderSize(r, 64<<10)
	var doc []byte
	first, tooLong := 1, false
	flush := func() error {
		defer func() { doc, tooLong = nil, false }()
		switch {
		case tooLong:
			return use(first, nil, fmt.Errorf("the document has more than %d bytes", facts.MaxFile))
		case len(bytes.TrimSpace(doc)) > 0:
			return use(first, doc, nil)
		}
		return nil
	}
	for line := 1; ; line++ {
		text, long, err := readLine(br, facts.MaxFile)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read import: %w", err)
		}
		if strings.TrimRight(string(text), "\r\n") == "---" {
			if err := flush(); err != nil {
				return err
			}
			first = line + 1
		} else if long || len(doc)+len(text) > facts.MaxFile {
			tooLong = true
		} else {
			doc = append(doc, text...)
		}
		if err != nil {
			return flush()
		}
	}
}

// ExportInput narrows an export. A zero field does not filter.
type ExportInput struct {
	Format Format
	Prefix string // of a key
	Scope  string `json:"scope,omitempty" flag:"scope,s,PATH" help:"only facts of this topic PATH and those below it"`
	All    bool   `json:"all,omitempty" help:"include retired, expired and superseded facts"`
	// AskedBy is the agent that reads; "" whom the memory was opened for.
	AskedBy string
}

// ExportResult says what an export wrote.
type ExportResult struct {
	core.Answer
	Facts    int `json:"facts"`
	Withheld int `json:"withheld"` // that the agent that reads may not
	Damaged  int `json:"damaged"`  // files that are no facts
}

// Export writes facts to w, by key, in a form that Import reads. YAML loses nothing.
func (m *Porter) Export(ctx context.Context, w io.Writer, in ExportInput) (ExportResult, error) {
	if in.Format != JSONL && in.Format != YAML {
		return ExportResult{}, core.UsageErrorf(hint.Hint{}, "format %q is neither jsonl nor yaml", in.Format)
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return ExportResult{}, err
	}
	reads := m.Reader(manifest, in.AskedBy)
	result := ExportResult{Answer: core.AnswerAt(tip)}
	now := m.Moment()
	buffered := bufio.NewWriterSize(w, 64<<10)
	filter := ask.ListInput{Scope: in.Scope, All: in.All, Branch: core.EveryBranch}
	result.Damaged, err = m.Each(ctx, tip, in.Prefix, func(f facts.Fact) error {
		if !filter.Wants(f, now) {
			return nil
		}
		if may, err := reads.MayRead(ctx, tip, f); err != nil {
			return err
		} else if !may {
			result.Withheld++
			return nil
		}
		result.Facts++
		return writeFact(buffered, f, in.Format, result.Facts > 1)
	})
	if err != nil {
		return result, err
	}
	if err := buffered.Flush(); err != nil {
		return result, fmt.Errorf("write export: %w", err)
	}
	return result, nil
}

func writeFact(w io.Writer, f facts.Fact, format Format, separate bool) error {
	var b []byte
	if format == YAML {
		if separate {
			b = append(b, "---\n"...)
		}
		b = append(b, facts.Marshal(f)...)
	} else {
		line, err := json.Marshal(write.RecordOf(f))
		if err != nil {
			return fmt.Errorf("write export: %w", err)
		}
		b = append(line, '\n')
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	return nil
}
