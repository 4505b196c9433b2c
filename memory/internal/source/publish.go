package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// PublishInput says which facts to publish to another memory. Only facts that it names are
// published.
type PublishInput struct {
	To     string   `json:"to" flag:"to,,NAME" help:"the source NAME to publish to"`
	Scopes []string `json:"scopes,omitempty" flag:"scope,s,PATTERN" help:"facts of this topic PATTERN, such as shared/*"`
	Keys   []string `json:"keys,omitempty" flag:"key,k,KEY" help:"the fact at KEY, beside those of --scope"`
	Agent  string   `json:"agent_id,omitempty" flag:"agent,a,NAME" env:"ENGRAM_AGENT" help:"NAME of the agent that publishes"`
	// SkipRefused publishes the rest where some facts are refused.
	SkipRefused bool `json:"skip_refused,omitempty" help:"publish the rest if some facts are rejected"`
	Apply       bool `json:"apply,omitempty" flag:"yes" help:"apply it; without --yes the command only shows what it would do"`
}

// What publishing does about a fact.
const (
	PublishAdd     = "add"     // the other memory does not have it
	PublishUpdate  = "update"  // it has an older version
	PublishRetire  = "retire"  // it has the fact that is retired here
	PublishPresent = "present" // it has it, or a newer version
	PublishRefuse  = "refuse"  // Reason says why
)

// PublishItem is what publishing does about one fact.
type PublishItem struct {
	Key    facts.Key `json:"key"`
	FactID string    `json:"fact_id"`
	Claim  string    `json:"claim"`
	Scope  string    `json:"scope"`
	Action string    `json:"action"`
	Reason string    `json:"reason,omitempty"`
}

// PublishResult says what was published, or would be.
type PublishResult struct {
	core.Answer
	To       string        `json:"to"`
	URL      string        `json:"url"` // without credentials
	Applied  bool          `json:"applied"`
	There    string        `json:"revision_there"` // of the other memory: with what was published, or as it stands
	Items    []PublishItem `json:"items"`          // by key
	Writes   int           `json:"writes"`         // facts that are written
	Present  int           `json:"present"`
	Refused  int           `json:"refused"`
	Notes    []string      `json:"notes,omitempty"`
	Attempts int           `json:"attempts"` // fetches it took
}

// publishAttempts is the maximum number of attempts when others push meanwhile.
const publishAttempts = 5

// Publish brings facts of this memory to a source, as they stand here: the same
// key, lineage and id, in one commit on top of its branch, pushed without force.
// Facts of reach run or project are never published. The error wraps ErrNotPublished
// if a fact is rejected, or what FetchSource and PushSource return; in both cases
// nothing was published.
func (m *Sources) Publish(ctx context.Context, in PublishInput) (PublishResult, error) {
	result := PublishResult{To: in.To, Items: []PublishItem{}}
	src, err := m.Store.Source(ctx, in.To)
	if err != nil {
		return result, err
	}
	result.URL = gitstore.WithoutSecrets(src.URL)
	p, err := m.newPublication(ctx, in, src)
	if err != nil {
		return result, err
	}
	result.Answer = core.AnswerAt(p.tip)
	release, err := m.lockSources(ctx)
	if err != nil {
		return result, err
	}
	defer func() { _ = release() }()
	for result.Attempts = 1; ; result.Attempts++ {
		if err := p.prepare(ctx, &result); err != nil {
			return result, err
		}
		if !in.Apply || result.Writes == 0 {
			return result, nil
		}
		there, err := m.Store.PushSource(ctx, src, p.base, p.writes, core.CommitMeta(p.manifest, core.CommitMessage("publish", p.lines)))
		if errors.Is(err, gitstore.ErrRejected) && result.Attempts < publishAttempts && ctx.Err() == nil {
			m.Log.Debug("others were faster", "source", src.Name, "attempt", result.Attempts)
			continue
		}
		if err != nil {
			return result, err
		}
		result.Applied, result.There = true, there
		return result, p.other.markFetched(ctx)
	}
}

// publication is one call of Publish.
type publication struct {
	m, other *Sources
	src      gitstore.Source
	in       PublishInput
	tip      string
	now      time.Time
	email    string
	picked   []facts.Fact // of ours, by key
	named    map[facts.Key]bool

	base     string // the revision of the source that it builds on
	manifest facts.Manifest
	writes   []gitstore.Write
	lines    []string
}

// newPublication selects the facts to publish.
func (m *Sources) newPublication(ctx context.Context, in PublishInput, src gitstore.Source) (*publication, error) {
	if len(in.Scopes)+len(in.Keys) == 0 {
		return nil, core.UsageErrorf(hint.New("%s shows examples", hint.Do(hint.Help, "publish")), "nothing to publish: give a scope or keys")
	}
	p := &publication{m: m, other: New(m.OpenSource(src)), src: src, in: in, now: m.Moment(), named: make(map[facts.Key]bool)}
	var err error
	if p.tip, _, err = m.Tip(ctx); err != nil {
		return nil, err
	}
	who, err := m.Store.Identity(ctx)
	if err != nil {
		return nil, err
	}
	p.email = strings.Trim(who[strings.LastIndexByte(who, '<')+1:], ">")
	scopes := make([]string, len(in.Scopes))
	for i, pattern := range in.Scopes {
		if scopes[i], err = gitstore.SourceScope(pattern); err != nil {
			return nil, err
		}
	}
	for _, text := range in.Keys {
		key, err := facts.ParseKey(text)
		if err != nil {
			return nil, err
		}
		f, found, err := m.FactAt(ctx, p.tip, key)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("%w: %s", core.ErrNotFound, key)
		}
		if !p.named[key] {
			p.named[key], p.picked = true, append(p.picked, f)
		}
	}
	if len(scopes) > 0 {
		_, err = m.Each(ctx, p.tip, "", func(f facts.Fact) error {
			in := slices.ContainsFunc(scopes, func(scope string) bool { return core.UnderScope(f.Scope, scope) })
			if in && !p.named[f.Key] && p.whyPrivate(f) == "" {
				p.picked = append(p.picked, f)
			}
			return nil
		})
	}
	slices.SortFunc(p.picked, func(a, b facts.Fact) int { return strings.Compare(a.Key.String(), b.Key.String()) })
	return p, err
}

// whyPrivate returns why a fact must not leave this repository, or "":
//
//  1. its reach;
//  2. it holds on one code branch, or for a day;
//  3. it is a conflict, or a claim that a merge kept beside another;
//  4. it does not hold; one that is retired ends where it was published.
func (p *publication) whyPrivate(f facts.Fact) string {
	f = f.WithDefaults()
	state := f.StateAt(p.now)
	switch {
	case f.Reach != facts.ReachOrg && f.Reach != facts.ReachGlobal:
		return fmt.Sprintf("its reach is %s; only facts of reach org or global leave this repository", f.Reach)
	case !index.Shared(f):
		return "it is bound to a code branch, or ephemeral and so not for good"
	case core.IsInternal(f.Key):
		return "it is for internal use of this memory"
	case f.IsRival():
		return "it is one of two competing claims for a key"
	case state != facts.Current && state != facts.Retired:
		return fmt.Sprintf("it is %s", state)
	}
	return ""
}

// prepare fetches the other memory and decides what to write to it.
func (p *publication) prepare(ctx context.Context, result *PublishResult) (err error) {
	if _, err := p.m.fetchSource(ctx, p.src); err != nil {
		return err
	}
	if p.base, p.manifest, err = p.other.Tip(ctx); err != nil {
		return fmt.Errorf("%s: %w", p.src.Name, err)
	}
	result.There, result.Items, result.Notes = p.base, []PublishItem{}, nil
	result.Writes, result.Present, result.Refused = 0, 0, 0
	p.writes, p.lines = nil, nil
	var refused []string
	for _, f := range p.picked {
		item, err := p.decide(ctx, f)
		if err != nil {
			return err
		}
		if item == nil {
			continue
		}
		result.Items = append(result.Items, *item)
		switch item.Action {
		case PublishPresent:
			result.Present++
		case PublishRefuse:
			result.Refused++
			refused = append(refused, fmt.Sprintf("%s: %s", item.Key, item.Reason))
		default:
			result.Writes++
		}
	}
	if len(refused) > 0 && p.in.Apply && !p.in.SkipRefused {
		const most = 5
		text := strings.Join(refused[:min(len(refused), most)], "; ")
		if len(refused) > most {
			text += fmt.Sprintf("; and %d more", len(refused)-most)
		}
		return fmt.Errorf("%w: %s", core.ErrNotPublished, text)
	}
	return nil
}

// decide decides what to do about one fact; nil means nothing to report.
func (p *publication) decide(ctx context.Context, f facts.Fact) (*PublishItem, error) {
	next := p.withAllowedNames(f)
	item := &PublishItem{Key: f.Key, FactID: f.ID, Claim: f.Claim, Scope: f.Scope}
	as := func(action, reason string) (*PublishItem, error) {
		item.Action, item.Reason = action, reason
		return item, nil
	}
	if why := p.whyPrivate(f); why != "" {
		return as(PublishRefuse, why)
	}
	there, found, err := p.other.FactAt(ctx, p.base, f.Key)
	switch {
	case errors.Is(err, core.ErrUnreadable):
		return as(PublishRefuse, "a file that is not a fact has that key there")
	case err != nil:
		return nil, err
	}
	retired := f.StateAt(p.now) == facts.Retired
	published := found && there.Lineage == f.Lineage
	switch {
	case retired && !published && !p.named[f.Key]:
		return nil, nil // it never was there
	case retired && !published:
		return as(PublishRefuse, "it is retired, and was never published there")
	case published && facts.Compare(next, there) <= 0:
		return as(PublishPresent, "")
	case found && !published && there.StateAt(p.now) != facts.Retired:
		return as(PublishRefuse, "another fact stands at that key there, and would be overwritten")
	}
	if why := p.rejection(next); why != "" {
		return as(PublishRefuse, why)
	}
	p.writes = append(p.writes, gitstore.Write{Path: next.Key.Path(), Data: facts.Marshal(next)})
	switch {
	case retired:
		p.lines = append(p.lines, core.MessageLine("retire", next.Key, next.Claim))
		return as(PublishRetire, "")
	case published:
		p.lines = append(p.lines, core.MessageLine("update", next.Key, next.Claim))
		return as(PublishUpdate, "")
	}
	p.lines = append(p.lines, core.MessageLine("add", next.Key, next.Claim))
	return as(PublishAdd, "")
}

// withAllowedNames omits the names that the other team does not store.
func (p *publication) withAllowedNames(f facts.Fact) facts.Fact {
	next := f.Clone()
	if p.manifest.AnonymousMode {
		next.Provenance.Engineer = ""
	}
	if p.manifest.AnonAgents {
		next.Provenance.Agent = ""
	}
	return next
}

// rejection returns why the rules of the other memory reject a fact, or "".
func (p *publication) rejection(f facts.Fact) string {
	if err := p.m.write.Scan(write.Draft{Fact: f}); err != nil {
		return err.Error()
	}
	if err := facts.Validate(f, p.manifest); err != nil {
		return "the other memory rejects it: " + err.Error()
	}
	if !p.manifest.Permissions.Allow(p.in.Agent, f.Scope, facts.Write, p.now) {
		who := cmp.Or(p.in.Agent, "a person")
		return fmt.Sprintf("the other team does not let %s write to that scope", who)
	}
	if p.manifest.Review.Needed(f.Key, p.email) {
		return "the other team reviews such facts, and publishing would bypass the review"
	}
	return ""
}
