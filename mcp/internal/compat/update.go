package compat

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"engram/facts"
	"engram/mcp/internal/tool"
	"engram/memory"
)

type memUpdateInput struct {
	ID       observationID `json:"id" help:"id, key or fact_id, as mem_search and mem_save return it"`
	Title    string        `json:"title,omitempty" help:"new title"`
	Content  string        `json:"content,omitempty" help:"new content; replaces the old one"`
	Type     string        `json:"type,omitempty" help:"new type"`
	TopicKey string        `json:"topic_key,omitempty" help:"move it to this key"`
	Scope    string        `json:"scope,omitempty" enum:"project,personal" help:"project; personal is refused"`
	Project  string        `json:"project,omitempty" help:"not used: the memory is of one repository"`
}

const memUpdateDescription = `Correct or extend one memory whose id you know. Call it when you found that what mem_search or mem_get_observation returned is wrong or incomplete. For a topic that goes on, mem_save with the same topic_key does the same.

What you do not pass stays as it is; content is replaced as a whole, so read it first. Evidence belongs to the claim that it was given for: a new title or content begins without. The version before stays in the history, and your name goes with the new one. With topic_key it moves, and the id becomes that key.

Returns what mem_save does; duplicate true: nothing was new.`

func addMemUpdate(s *tool.Server) {
	tool.Add(s, tool.Spec{
		Name: "mem_update", Title: "Correct a memory", Description: memUpdateDescription,
	}, memUpdate)
}

func memUpdate(ctx context.Context, c *tool.Call, in memUpdateInput) (memSaveOutput, error) {
	if err := refusePersonal(in.Scope); err != nil {
		return memSaveOutput{}, err
	}
	if in.Title == "" && in.Content == "" && in.Type == "" && in.TopicKey == "" {
		return memSaveOutput{}, tool.Reject("nothing is to change", "pass title, content, type or topic_key")
	}
	key, err := in.ID.keyOf(ctx, c)
	if err != nil {
		return memSaveOutput{}, err
	}
	r, err := c.Memory.Get(ctx, memory.GetInput{Key: key, AskedBy: c.Caller})
	if err != nil {
		return memSaveOutput{}, err
	}
	if r.Fact.Origin != "" {
		return memSaveOutput{}, tool.Reject(key+" is another team's, and is only read here", "mem_save what you know under a topic_key of your own")
	}
	asked, err := changed(r.Fact, in)
	if err != nil {
		return memSaveOutput{}, err
	}
	out, err := save(ctx, c, asked)
	out.Notes = append(out.Notes, aboutProject(in.Project)...)
	return out, err
}

// changed is the next version of a fact. What supports a claim goes with it, as
// long as the claim stays.
func changed(f memory.Fact, in memUpdateInput) (asked memory.CommitInput, err error) {
	if in.Title == "" && in.Content == "" {
		asked = memory.CommitInput{
			Claim: f.Claim, Detail: f.Detail, Evidence: f.Evidence, Pointers: f.Pointers, Confidence: f.Confidence, TTL: f.TTL, Durability: f.Durability,
		}
	} else {
		title, content := titledOf(f)
		if in.Title == "" && utf8.RuneCountInString(title) > maxTitle {
			return asked, tool.Reject("what it says beside its content is too long to be a title", "pass title as well")
		}
		if asked.Claim, asked.Detail, err = claimOf(cmp.Or(in.Title, title), cmp.Or(in.Content, content)); err != nil {
			return asked, err
		}
	}
	k, err := kindOfType(in.Type)
	asked.Kind, asked.Type, asked.Tags = string(k.kind), string(k.how), k.tags()
	if in.Type != "" { // other tags than those of a type are somebody's
		asked.Tags = append(asked.Tags, slices.DeleteFunc(slices.Clone(f.Tags), func(tag string) bool {
			return tag == k.tag || slices.Contains(memTypes(), tag)
		})...)
	}
	asked.Operation, asked.Lineage, asked.Key, asked.Scope = string(facts.OpUpdate), f.LineageID, in.TopicKey, f.Scope
	asked.Source = string(facts.SourceAgent)
	return asked, err
}

// memTypes are the types that prompts of that protocol use.
func memTypes() []string {
	return []string{"decision", "architecture", "bugfix", "pattern", "config", "discovery", "learning", "preference", "manual"}
}
