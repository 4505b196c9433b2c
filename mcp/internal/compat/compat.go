// Package compat is the profile of that name: tools by the names and arguments of an
// earlier protocol, mem_save and its kin, so that prompts written for it work here.
// Each is an operation of this memory; docs/mcp.md says which, and what is missing.
package compat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"engram/facts"
	"engram/mcp/internal/core"
	"engram/mcp/internal/tool"
	"engram/memory"
)

// Add gives a server the tools.
func Add(s *tool.Server) {
	addMemSave(s)
	addMemSearch(s)
	addMemGetObservation(s)
	addMemUpdate(s)
	addMemContext(s)
	addMemSessionStart(s)
	addMemSessionEnd(s)
	addMemSessionSummary(s)
}

// scopePersonal is the scope of that protocol that this memory does not have.
const scopePersonal = "personal"

// observation is a hit, with the name under which the other tools take it.
type observation struct {
	ID string `json:"id" jsonschema:"for mem_get_observation and mem_update"`
	core.Hit
}

// observationsOf keeps as many hits as the budget has tokens for.
func observationsOf(hits []memory.Hit, budget int) (kept []observation, tokens, omitted int) {
	list := make([]observation, len(hits))
	for i, h := range hits {
		list[i] = observation{idOf(h.Origin, h.Key), core.HitOf(h)}
	}
	return tool.Fit(list, budget)
}

func idOf(origin string, key facts.Key) string {
	if origin != "" {
		return origin + ":" + key.String()
	}
	return key.String()
}

// observationID is an id as models pass it. Elsewhere ids are numbers: one is
// read, so that the answer can say what it is here.
type observationID string

func (id *observationID) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		text = string(b)
	}
	*id = observationID(text)
	return nil
}

// keyOf finds the key of an observation.
//
//  1. A key, or NAME:KEY of a source, is one.
//  2. A fact_id or lineage_id: of the fact that has or had it.
//  3. Anything else is rejected.
func (id observationID) keyOf(ctx context.Context, c *tool.Call) (string, error) {
	text := string(id)
	source, key, found := strings.Cut(text, ":")
	if !found {
		source, key = "", text
	}
	if _, err := facts.ParseKey(key); err == nil && (!found || source != "") {
		return text, nil
	}
	if len(text) == 26 && !strings.Contains(text, "/") {
		key, err := c.Memory.KeyOf(ctx, strings.ToUpper(text))
		return key.String(), err
	}
	message := fmt.Sprintf("id %.60q is neither a key nor the id of a fact", text)
	if text != "" && strings.Trim(text, "0123456789") == "" {
		message = fmt.Sprintf("id %.60s: facts have no numbers here", text)
	}
	return "", tool.Reject(message, "an id is a key such as sdd/checkout/spec, or a fact_id, as mem_search and mem_save return it")
}

// keyFault suggests a canonical key in place of one that is not.
func keyFault(ctx context.Context, c *tool.Call, key string, err error) error {
	var (
		badKey  *facts.KeyError
		invalid *facts.ValidationError
	)
	if key == "" || !errors.As(err, &badKey) && !errors.As(err, &invalid) {
		return err
	}
	r, lintErr := c.Memory.Lint(ctx, []string{key})
	if lintErr != nil || len(r.Findings) == 0 {
		return err
	}
	found := r.Findings[0]
	hint := "use topic_key " + found.Suggestion
	if parsed, err := facts.ParseKey(key); err == nil {
		hint += "; or the team adds " + parsed.Namespace + " to namespaces in engram.yml (`engram policy edit`), which is for the user to decide"
	}
	return tool.Reject(fmt.Sprintf("topic_key %.120q: %s; nothing was written", key, found.Problem), hint)
}

// aboutProject says what became of an argument that has no meaning here.
func aboutProject(project string) []string {
	if project == "" {
		return nil
	}
	return []string{"project tells nothing apart here: the memory is of one repository"}
}
