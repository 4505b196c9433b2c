package write

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
)

// Draft is a fact before the tip decides on its key, its lineage and what it supersedes.
type Draft struct {
	Fact      facts.Fact
	operation facts.Operation
	Reason    string // of a delete
	restored  bool   // it keeps the id that it had before an export
	Imported  bool   // it counts against the rate of Importer
	Importer  string
	overBus   bool // guardBus applies
	promoted  bool // only the durability changes
	// wantsNearest asks to update the nearest fact in scope; vector is that of the claim,
	// if there is a model.
	wantsNearest bool
	vector       []float32
}

// DraftOf makes a draft of an input: normalized, and with a valid operation and key.
func (m *Writer) DraftOf(in CommitInput) (Draft, error) {
	f := facts.Fact{
		Lineage: in.Lineage, Claim: facts.FoldSpace(in.Claim), Detail: strings.Trim(strings.ReplaceAll(in.Detail, "\r\n", "\n"), "\n"),
		Kind: facts.Kind(in.Kind), Type: facts.Type(in.Type), Scope: strings.Trim(in.Scope, "/"), Reach: facts.Reach(in.Reach),
		Confidence: in.Confidence, Tags: in.Tags, ValidFrom: in.ValidFrom, ValidUntil: in.ValidUntil,
		Durability: facts.Durability(in.Durability), Branch: in.Branch,
		Provenance: facts.Provenance{Agent: in.Agent, Source: facts.Source(in.Source), Evidence: facts.FoldSpace(in.Evidence), Session: sessionRef(in.Session)},
	}
	for _, p := range in.Pointers {
		f.Pointers = append(f.Pointers, facts.Pointer{Ref: p.Ref, Digest: p.Digest})
	}
	d := Draft{Fact: f, operation: facts.Operation(in.Operation), Reason: facts.FoldSpace(in.Reason), overBus: in.OverBus}
	if d.operation == "" {
		d.operation = facts.OpAdd
	}
	var err error
	if in.Key != "" {
		if d.Fact.Key, err = facts.ParseKey(in.Key); err != nil {
			return d, err
		}
	}
	d.wantsNearest = d.operation == facts.OpUpdate && d.Fact.Key.IsZero() && d.Fact.Lineage == ""
	d.Fact.TTL, err = canonicalTTL(in.TTL, f.Durability)
	if err != nil {
		return d, core.UsageErrorf(hint.New("write it as P30D, P1Y6M or PT12H, or as a number of days"), "%w", err)
	}
	return d, d.check()
}

// sessionRef returns the pointer to a session that may be given by its id.
func sessionRef(text string) string {
	if text == "" || facts.IsRef(text) {
		return text
	}
	return facts.Address{Type: facts.PointSAM, Path: session.IDOf(text)}.Ref()
}

// checkEnd rejects an input with two ends. A stored fact may have both: its TTL, and an
// earlier end at which it was retired.
func checkEnd(in CommitInput) error {
	if in.TTL != "" && !in.ValidUntil.IsZero() {
		return core.UsageErrorf(hint.New("a TTL counts from when the fact begins to hold; valid_until is a time"), "state a TTL or valid_until, not both")
	}
	return nil
}

// canonicalTTL writes a TTL as a duration. An ephemeral fact lives a day by default (the
// consistency plan, phase 8).
func canonicalTTL(ttl string, durability facts.Durability) (string, error) {
	if ttl == "" && durability == facts.Ephemeral {
		return "P1D", nil
	}
	if ttl == "" {
		return "", nil
	}
	period, err := facts.ParseTTL(ttl)
	return period.String(), err
}

// check rejects an unknown operation, and a delete that names no fact.
func (d Draft) check() error {
	if err := core.CheckOneOf("operation", d.operation, facts.Operations()); err != nil {
		return err
	}
	if d.operation == facts.OpDelete && d.Fact.Key.IsZero() && d.Fact.Lineage == "" {
		return core.UsageErrorf(hint.New("a query shows the key of each fact that it finds; %s lists facts", hint.Do(hint.ListFacts)), "delete needs to know which fact ends: its key or its lineage")
	}
	return nil
}

// author is the agent whose rate a draft counts against: the importer, or the agent that
// states it. "" is a person, who has no limit.
func (d Draft) author() string {
	if d.Imported {
		return d.Importer
	}
	return d.Fact.Provenance.Agent
}

// Texts are all texts of a draft, by the names of their fields.
func (d Draft) Texts() []bus.Text {
	f := d.Fact
	texts := []bus.Text{
		{Path: "claim", Value: f.Claim}, {Path: "detail", Value: f.Detail}, {Path: "scope", Value: f.Scope}, {Path: "evidence", Value: f.Provenance.Evidence}, {Path: "session", Value: f.Provenance.Session},
		{Path: "agent", Value: f.Provenance.Agent}, {Path: "engineer", Value: f.Provenance.Engineer}, {Path: "reason", Value: d.Reason}, {Path: "branch", Value: f.Branch},
	}
	if !f.Key.IsZero() {
		texts = append(texts, bus.Text{Path: "key", Value: f.Key.String()})
	}
	for i, tag := range f.Tags {
		texts = append(texts, bus.Text{Path: fmt.Sprintf("tags[%d]", i), Value: tag})
	}
	for i, p := range f.Pointers {
		texts = append(texts, bus.Text{Path: fmt.Sprintf("pointers[%d]", i), Value: p.Ref})
		texts = append(texts, unknownTexts(p.Unknown)...)
	}
	texts = append(texts, unknownTexts(f.Unknown)...)
	return append(texts, unknownTexts(f.Provenance.Unknown)...)
}

// Precheck validates a draft before the tip decides on its key, ids and times, with
// placeholders for these.
func Precheck(d Draft, manifest facts.Manifest) error {
	f := d.Fact
	if d.operation == facts.OpDelete || d.operation == facts.OpNone {
		return nil
	}
	const anyID = "01000000000000000000000000"
	if f.Key.IsZero() {
		f.Key = facts.Key{Namespace: "domain", Category: "general", Identifier: "x"}
	}
	f.ID = cmp.Or(f.ID, anyID)
	f.Lineage = cmp.Or(f.Lineage, anyID)
	f.ValidFrom = cmp.Or(f.ValidFrom, f.Provenance.CreatedAt, core.Earliest)
	return facts.Validate(f, manifest)
}

// Scan rejects a draft if any of its texts holds a secret.
func (m *Writer) Scan(d Draft) error {
	return m.ScanTexts(d.Texts())
}

func unknownTexts(unknown []facts.Unknown) []bus.Text {
	var texts []bus.Text
	for _, u := range unknown {
		texts = append(texts, bus.Text{Path: "field " + u.Name, Value: u.Name + ": " + u.YAML})
	}
	return texts
}

// inputError names which of several inputs is at fault.
func inputError(n, i int, err error) error {
	if n > 1 {
		return fmt.Errorf("input %d: %w", i+1, err)
	}
	return err
}

// Record is one line of a JSONL import or export: a CommitInput and, if the fact was
// exported from a branch, its identity there.
type Record struct {
	CommitInput
	FactID     string    `json:"fact_id,omitempty"`
	Engineer   string    `json:"engineer,omitempty"`
	Committed  time.Time `json:"committed_at,omitzero"`
	Supersedes string    `json:"supersedes_fact_id,omitempty"`
	For        facts.Key `json:"for,omitzero"`
	// Unknown are fields of a later format, as YAML. Those inside pointers and
	// provenance travel in YAML exports alone.
	Unknown map[string]string `json:"unknown,omitempty"`
}

// inputOf states all of a fact that CommitInput can.
func inputOf(f facts.Fact) CommitInput {
	in := CommitInput{
		Claim: f.Claim, Detail: f.Detail, Key: f.Key.String(), Scope: f.Scope, Kind: string(f.Kind), Type: string(f.Type),
		Reach: string(f.Reach), Agent: f.Provenance.Agent, Source: string(f.Provenance.Source), Confidence: f.Confidence,
		Tags: f.Tags, Evidence: f.Provenance.Evidence, Session: f.Provenance.Session, TTL: f.TTL, ValidFrom: f.ValidFrom, ValidUntil: f.ValidUntil,
		Durability: string(f.Durability), Operation: string(f.Operation), Lineage: f.Lineage, Branch: f.Branch,
	}
	for _, p := range f.Pointers {
		in.Pointers = append(in.Pointers, core.Pointer{Ref: p.Ref, Digest: p.Digest})
	}
	return in
}

// RecordOf is the record that a fact is exported as.
func RecordOf(f facts.Fact) Record {
	r := Record{
		CommitInput: inputOf(f),
		FactID:      f.ID, Engineer: f.Provenance.Engineer, Committed: f.Provenance.CreatedAt, Supersedes: f.Supersedes, For: f.For,
	}
	for _, u := range f.Unknown {
		if r.Unknown == nil {
			r.Unknown = make(map[string]string)
		}
		r.Unknown[u.Name] = u.YAML
	}
	return r
}

// DraftOfRecord makes a draft of a record. A record with a fact_id is restored as it
// was; any other is an input of Commit.
func (m *Writer) DraftOfRecord(r Record) (Draft, error) {
	if r.FactID == "" {
		if err := checkEnd(r.CommitInput); err != nil {
			return Draft{}, err
		}
		d, err := m.DraftOf(r.CommitInput)
		d.Fact.Provenance.CreatedAt = r.Committed
		d.Fact.ValidFrom = cmp.Or(d.Fact.ValidFrom, r.Committed)
		return d, err
	}
	stored := facts.Operation(r.Operation)
	r.Operation = ""
	d, err := m.DraftOf(r.CommitInput)
	if err != nil {
		return d, err
	}
	d.Fact.ID, d.Fact.Operation, d.Fact.Supersedes, d.Fact.For = r.FactID, stored, r.Supersedes, r.For
	d.Fact.Provenance.Engineer, d.Fact.Provenance.CreatedAt = r.Engineer, r.Committed
	for _, name := range slices.Sorted(maps.Keys(r.Unknown)) {
		d.Fact.Unknown = append(d.Fact.Unknown, facts.Unknown{Name: name, YAML: r.Unknown[name]})
	}
	d.restored = true
	return d, nil
}

// Moment is when a draft begins to hold, or ends what it retires; zero: when it is written.
func (d Draft) Moment() time.Time {
	if d.operation == facts.OpDelete {
		return cmp.Or(d.Fact.ValidUntil, d.Fact.ValidFrom, d.Fact.Provenance.CreatedAt)
	}
	return cmp.Or(d.Fact.ValidFrom, d.Fact.Provenance.CreatedAt)
}

// DraftOfFact makes a draft of a fact of a YAML import.
func DraftOfFact(f facts.Fact) Draft {
	operation := facts.OpAdd
	if f.ID == "" && f.Operation != "" {
		operation, f.Operation = f.Operation, ""
	}
	return Draft{Fact: f, operation: operation, restored: f.ID != ""}
}
