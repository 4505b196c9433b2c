package export

import (
	"context"
	"encoding/json"
	"fmt"

	"engram/dashboard/internal/site"
	"engram/memory"
)

// perPart is how many facts a file of the search has: some 600 KB.
const perPart = 2000

// found is a fact as the search of a copy knows it: key, claim, scope, kind, type, agent, state,
// evidence and file.
type found [9]string

// writeSearch writes the facts that the search of the copy goes through, as scripts: a browser reads
// these also without a server. search/0.js says how many follow.
func (c *copier) writeSearch(ctx context.Context) (Result, error) {
	var result Result
	var part []found
	parts := 0
	flush := func() error {
		parts++
		body, err := script("add", part)
		part = part[:0]
		if err != nil {
			return err
		}
		return c.write(fmt.Sprintf("search/%d.js", parts), body)
	}
	for {
		page, err := c.Memory.Survey(ctx, memory.SurveyInput{State: memory.AnyState, AskedBy: c.Agent, Offset: result.Facts, Limit: memory.MaxSurveyRows})
		if err != nil {
			return result, err
		}
		if result.Revision == "" {
			result.Revision, result.Withheld = page.Revision, page.Withheld
		}
		for _, f := range page.Facts {
			key := f.Key.String()
			c.todo = append(c.todo, site.Path("/facts", key))
			one := found{key, f.Claim, f.Scope, string(f.Kind), string(f.FactType), f.AgentID, string(f.State), string(f.Freshness), "facts/" + safe(key) + ".html"}
			for i := range one {
				one[i] = string(site.Visible([]byte(one[i])))
			}
			part = append(part, one)
		}
		result.Facts += len(page.Facts)
		last := len(page.Facts) == 0 || result.Facts >= page.Total
		if len(part) >= perPart || last && len(part) > 0 {
			if err := flush(); err != nil {
				return result, err
			}
		}
		if last {
			break
		}
	}
	body, err := script("begin", map[string]int{"parts": parts, "facts": result.Facts})
	if err != nil {
		return result, err
	}
	return result, c.write("search/0.js", body)
}

// script calls a function of the copy's script with a value. encoding/json escapes what could end it.
func script(function string, value any) ([]byte, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return []byte("engramCopy." + function + "(" + string(data) + ");\n"), nil
}
