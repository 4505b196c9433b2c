package transcript

import (
	"maps"
	"strings"

	"engram/session"
)

// claude reads a line of Claude Code.
func (r *reader) claude(v value) {
	var typ, subtype, own, parent, agent string
	var message, content, summary, outcome value
	var side, meta, compacted bool
	for key, v := range v.Fields() {
		switch key {
		case "type":
			typ = v.Text()
		case "subtype":
			subtype = v.Text()
		case "uuid":
			own = v.Text()
		case "parentUuid":
			parent = v.Text()
		case "agentId":
			agent = v.Text()
		case "isSidechain":
			side = v.Is('t')
		case "isMeta":
			meta = v.Is('t')
		case "isCompactSummary":
			compacted = v.Is('t')
		case "message":
			message = v
		case "content":
			content = v
		case "summary":
			summary = v
		case "toolUseResult":
			outcome = v
		case "sessionId":
			set(&r.meta.Session, v)
		case "cwd":
			set(&r.meta.Cwd, v)
		case "gitBranch":
			r.meta.Branch = strings.TrimSuffix(v.Text(), "HEAD") // no branch is checked out
		case "version":
			set(&r.meta.Version, v)
		case "timestamp":
			r.base.At = moment(v)
		}
	}
	if side && agent == "" {
		agent = r.chain(own, parent)
	}
	r.meta.Agent, r.base.SubAgent, r.base.Branch = agent, agent, r.meta.Branch
	r.record.Unique = own != ""
	switch {
	case typ == "assistant" && message != nil:
		if model := message.At("model").Text(); model != "" && model[0] != '<' {
			r.meta.Model, r.base.Model = model, model
		}
		r.content(session.AgentMessage, message.At("content"))
	case typ == "user" && message != nil:
		switch {
		case compacted:
			r.content(session.SystemNote, message.At("content"), session.TagSummary)
		case meta:
			r.content(session.SystemNote, message.At("content"), "meta")
		default:
			r.content(session.UserMessage, message.At("content"))
		}
		r.outcome(outcome)
	case typ == "summary":
		r.say(session.SystemNote, summary.Text(), session.TagSummary)
	case typ == "system" && subtype == "compact_boundary":
		r.say(session.SystemNote, content.Text(), session.TagCompaction)
	case typ == "system" && content.Is('"'):
		r.say(session.SystemNote, content.Text())
		r.record.Events[0].Tags = r.tags(subtype, "system")
	case typ == "system":
		r.note(subtype)
	}
	if len(r.record.Events) == 0 {
		r.note(typ)
	}
}

// tags is the one tag that a client's name makes.
func (r *reader) tags(name, otherwise string) []string {
	if validTag.MatchString(name) {
		return []string{name}
	}
	return []string{otherwise}
}

// outcome corrects what was read from a result by what Claude Code says of it: a file that
// was read or a search may contain what looks like a new commit or fact.
func (r *reader) outcome(v value) {
	if !v.Is('{') {
		return
	}
	var shell, file bool
	for key := range v.Fields() {
		switch key {
		case "stdout":
			shell = true
		case "file", "filePath", "filenames", "mode":
			file = true
		}
	}
	for i := range r.record.Events {
		e := &r.record.Events[i]
		if e.Kind == session.ToolResult && !shell {
			e.Commits = nil
			if file {
				e.Facts = nil
			}
		}
	}
}

// chain returns the id of the side chain that a line belongs to: the id of its first line.
func (r *reader) chain(own, parent string) string {
	root := own
	if first, ok := r.meta.Chains[parent]; ok {
		root = first
	} else if parent != "" && r.meta.Agent != "" {
		root = r.meta.Agent // it goes on from an earlier line of the chain
	}
	if own == "" {
		return root
	}
	chains := maps.Clone(r.meta.Chains)
	if chains == nil {
		chains = map[string]string{}
	}
	delete(chains, parent)
	chains[own] = root
	r.meta.Chains = chains
	return root
}
