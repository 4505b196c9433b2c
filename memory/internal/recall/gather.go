package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/facts"
	"engram/index/events"
	"engram/internal/terms"
	"engram/memory/internal/archive"
	"engram/memory/internal/ask"
	"engram/memory/internal/core"
	"engram/memory/internal/views"
	"engram/recall/passage"
	"engram/recall/score"
	derived "engram/recall/views"
	"engram/session"
)

// gather finds the candidates for some queries and reads the most likely ones.
func (l *look) gather(ctx context.Context, queries []string, hop int) error {
	for _, q := range queries {
		found, err := l.search(events.Query{Text: q, Limit: perList})
		if err != nil {
			return err
		}
		for _, f := range found {
			for _, p := range f.Places {
				// How near a vector is says something by itself; what words say is compared
				// with the best.
				list, strength := score.Vectors, p.Score
				if score.List(p.Signal) == score.Words {
					list, strength = score.Words, p.Score/p.Best
				}
				l.addEvent(f, list, p.Rank, strength, hop)
			}
		}
		if err := l.rare(q, hop); err != nil {
			return err
		}
		if err := l.together(q, hop); err != nil {
			return err
		}
		exact := passage.Exact(q)
		for _, s := range exact {
			found, err := l.search(events.Query{Text: q, Exact: []string{s}, Limit: perExact})
			if err != nil {
				return err
			}
			if len(found) == perExact {
				l.common[strings.ToLower(s)] = true
			}
			for i, f := range found {
				// Whether it is really there, letter by letter, is seen when it is read.
				l.addEvent(f, score.Exact, i+1, 0, hop)
			}
		}
		if hop == 1 {
			if err := l.askFacts(ctx, q); err != nil {
				return err
			}
			if err := l.askViews(ctx, q, score.GrainOf(q, len(exact) > 0)); err != nil {
				return err
			}
		}
	}
	if hop == 1 {
		if err := l.keyEvents(); err != nil {
			return err
		}
		if err := l.decisions(ctx, queries); err != nil {
			return err
		}
	}
	l.read(ctx)
	return nil
}

// Bounds of rare.
const (
	rareWords  = 8 // of a query are looked at
	rareEvents = 8 // have a word that is rare
	rareLetter = 4 // letters of a word, at least
)

// rare adds the events that have a word of a query which few have: a line in the middle of long
// output counts for little beside short events that have the frequent ones.
func (l *look) rare(query string, hop int) error {
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return utf8.RuneCountInString(w) < rareLetter })
	for _, w := range words[:min(len(words), rareWords)] {
		found, err := l.search(events.Query{Text: query, Exact: []string{w}, AtMost: rareEvents, Limit: rareEvents})
		if err != nil {
			return err
		}
		for i, f := range found {
			l.addEvent(f, score.Words, i+1, 1, hop)
		}
	}
	return nil
}

// together adds the events that have every word of a query: a long output that has them counts for
// less in the index than a short event with some.
func (l *look) together(query string, hop int) error {
	const fewest, most = 2, 12 // words; a longer text is no question
	if words := terms.OfQuestion(query); len(words) < fewest || len(words) > most {
		return nil
	}
	found, err := l.search(events.Query{Text: query, Exact: []string{query}, Limit: rareEvents})
	for i, f := range found {
		l.addEvent(f, score.Words, i+1, 1, hop)
	}
	return err
}

// search asks the index of events, for what the reader may see.
func (l *look) search(q events.Query) ([]archive.Found, error) {
	if l.stage.session != "" {
		q.Sessions = []string{l.stage.session}
	}
	q.Kinds, q.Since = l.in.Kinds, l.in.Since
	return l.finder.Find(q)
}

// add notes that a candidate is on a list; of several queries, the best place counts.
func (l *look) add(pointer string, list score.List, rank int, strength float64, hop int) *candidate {
	c := l.found[pointer]
	if c == nil {
		c = &candidate{hop: hop}
		c.ID = pointer
		c.Strength, c.Rank = make(map[score.List]float64), make(map[score.List]int)
		l.found[pointer] = c
	}
	if hop > 1 && c.hop > 1 {
		strength *= hopDecay
	}
	if before, ok := c.Rank[list]; !ok || rank < before {
		c.Rank[list] = rank
	}
	c.Strength[list] = max(c.Strength[list], strength)
	return c
}

// addEvent adds an event to a list.
func (l *look) addEvent(f archive.Found, list score.List, rank int, strength float64, hop int) *candidate {
	c := l.add(pointerOf(f.Session, f.Event.ID), list, rank, strength, hop)
	c.found, c.At = f, f.Event.At
	return c
}

// decisions adds those decisions that may answer a question which asks for one, by their meaning:
// people ask for a reason in other words than it was given in.
func (l *look) decisions(ctx context.Context, queries []string) error {
	at := slices.IndexFunc(queries, score.AsksForReason)
	if at < 0 || len(l.in.Kinds) > 0 {
		return nil
	}
	q := events.Query{Kinds: []string{string(derived.Decision)}, Newest: true, Limit: perDecisions, Since: l.in.Since}
	if l.stage.session != "" {
		q.Sessions = []string{l.stage.session}
	}
	hits, err := l.r.views.Find(ctx, q)
	if err != nil {
		return err
	}
	texts := make([]string, len(hits))
	for i, hit := range hits {
		texts[i] = hit.Text
	}
	meets := score.Meet(queries[at], texts)
	order := make([]int, len(hits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(meets[b], meets[a]) })
	for rank, i := range order[:min(len(order), bestDecisions)] {
		f, err := l.finder.Event(hits[i].Event)
		if err != nil {
			continue // it is not there any more
		}
		c := l.addEvent(f, score.Views, rank+1, decisionStrength+(1-decisionStrength)*meets[i], 1)
		c.derived, c.said = score.Decision, hits[i].Text
	}
	return nil
}

// keyEvents are candidates whatever the query says.
func (l *look) keyEvents() error {
	for i, id := range l.state.KeyEvents {
		f, err := l.finder.Event(id)
		switch {
		case errors.Is(err, core.ErrNotFound): // it is not sealed yet, or of another clone
		case err != nil:
			return err
		case l.stage.session == "" || f.Session == l.stage.session:
			l.addEvent(f, score.Key, i+1, 1, 1)
		}
	}
	return nil
}

// askFacts adds the facts that answer a query.
func (l *look) askFacts(ctx context.Context, query string) error {
	if l.stage.session != "" || len(l.in.Kinds) > 0 || !l.in.Since.IsZero() {
		return nil
	}
	in := ask.QueryInput{Question: query, Limit: perFacts, AskedBy: l.in.AskedBy}
	if !l.stage.sources {
		in.Origins = []string{core.NoSource}
	}
	answer, err := l.r.ask.Query(ctx, in)
	if errors.Is(err, core.ErrNoBranch) || errors.Is(err, core.ErrUsage) {
		return nil // there are sessions without a memory of facts
	}
	if err != nil {
		return err
	}
	for i, hit := range answer.Results {
		key := hit.Key.String()
		c := l.add(key, score.Facts, i+1, hit.Score/answer.Results[0].Score, 1)
		if c.read {
			continue
		}
		c.read = true
		c.Type, c.At = score.Fact, hit.Committed
		if hit.Kind == string(facts.KindConstraint) {
			c.Type = score.Constraint
		}
		text := facts.Visible(hit.Claim)
		c.item = Item{Pointer: key, Type: c.Type, Who: hit.AgentID, At: hit.Committed, Text: text, Raw: hit.Claim, Whole: true, Hop: 1}
		c.setText(text)
		share, exact := l.query.Covers(text)
		l.confirm(c, share, exact)
	}
	return nil
}

// askViews adds what was derived of sessions: an episode is a candidate of its own, a record leads
// to the event that it was read from.
func (l *look) askViews(ctx context.Context, query string, grain score.Grain) error {
	q := events.Query{Text: query, Limit: perViews, Since: l.in.Since}
	if l.stage.session != "" {
		q.Sessions = []string{l.stage.session}
	}
	hits, err := l.r.views.Find(ctx, q)
	for i, hit := range hits {
		strength := grain.OfViews() * hit.Score / hits[0].Score
		if hit.Episode == nil {
			f, err := l.finder.Event(hit.Event)
			if errors.Is(err, core.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			c := l.addEvent(f, score.Views, i+1, strength, 1)
			c.derived = score.Type(hit.Kind)
			continue
		}
		if len(l.in.Kinds) > 0 {
			continue
		}
		e := hit.Episode
		c := l.add(fmt.Sprintf("episode of turns %d–%d, from %s", e.FirstTurn, e.LastTurn, pointerOf(hit.Session, e.First)), score.Views, i+1, strength, 1)
		c.read, c.Type, c.Task, c.At = true, score.View, e.Task, e.Started
		raw := views.TextOf(*e)
		text := facts.Visible(raw)
		c.item = Item{Pointer: pointerOf(hit.Session, e.First), Type: score.View, Who: "engram", At: e.Started, Session: hit.Session, Turn: e.FirstTurn, Text: text, Raw: raw, Whole: true, Hop: 1}
		c.setText(text)
		share, exact := l.query.Covers(text)
		l.confirm(c, share, exact)
	}
	return err
}

func (c *candidate) setText(text string) {
	c.Text = text
	c.Tokens = facts.Tokens(text) + headTokens
}

// read reads the candidates that are most likely to be returned.
func (l *look) read(ctx context.Context) {
	var list []*candidate
	for pointer, c := range l.found {
		if l.seen[pointer] {
			delete(l.found, pointer)
		} else if !c.read {
			list = append(list, c)
		}
	}
	promise := func(c *candidate) float64 {
		p := c.Strength[score.Words] + c.Strength[score.Vectors] + c.Strength[score.Key]
		if c.said != "" {
			p += 1 + c.Strength[score.Views] // it is short
		}
		if rank, ok := c.Rank[score.Exact]; ok {
			p += 2 - float64(rank)/perExact
		}
		return p
	}
	slices.SortFunc(list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(promise(b), promise(a)), b.At.Compare(a.At), strings.Compare(a.ID, b.ID))
	})
	list = list[:min(len(list), maxRead)]
	for _, c := range list {
		l.take(ctx, c)
	}
}

// take reads what an event says into its candidate.
func (l *look) take(ctx context.Context, c *candidate) {
	e := &c.found.Event
	c.read = true
	c.Type, c.Task, c.Premise, c.Superseded, c.At = cmp.Or(c.derived, typeOf(e)), e.Task, e.Premise, c.found.Superseded, e.At
	c.item = Item{
		Pointer: c.ID, Type: c.Type, Who: e.Who(), At: e.At, Session: c.found.Session, Turn: e.Turn, Hop: c.hop, Superseded: c.found.Superseded,
	}
	text := l.content(ctx, c, e)
	size := max(minPassage, min(maxPassage, l.result.Budget/4))
	visible := facts.Visible(text)
	query := l.query
	if c.said != "" { // of a long message, where it is said
		query, size = passage.NewQuery(c.said), min(size, saidPassage)
	}
	f := query.Best(visible, size)
	if c.item.Raw = f.Text; visible != text {
		c.item.Raw = query.Best(text, size).Text
	}
	if c.said != "" {
		f.Score, f.Exact = l.query.Covers(f.Text)
	}
	c.item.Text, c.item.Whole = f.Text, f.Whole && c.item.Artifact == "" || f.Whole && !c.item.Archived
	if !f.Whole {
		c.item.Lines = f.Lines
	}
	c.setText(f.Text)
	l.confirm(c, f.Score, f.Exact)
}

// content is the text of an event, or of the artifact that stands for it.
func (l *look) content(ctx context.Context, c *candidate, e *session.Event) string {
	text := e.Plain()
	for _, a := range e.Artifacts {
		if c.item.Artifact == "" {
			c.item.Artifact = facts.Address{Type: facts.PointArtifact, Path: a.Digest}.Ref()
		}
		if l.artifacts >= maxArtifacts || !archiveText(a.MediaType) {
			continue
		}
		l.artifacts++
		data, err := l.r.archive.Content(ctx, c.found, a.Digest)
		if err != nil {
			c.item.Archived = true
			continue
		}
		return strings.ToValidUTF8(string(data), "\uFFFD")
	}
	return text
}

func archiveText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") || strings.Contains(mediaType, "xml") || strings.Contains(mediaType, "yaml")
}

// confirm weighs a candidate by what its passage really has: half of its strength is what the
// index said, half the share of the query's words in the passage.
func (l *look) confirm(c *candidate, share float64, exact int) {
	for list, strength := range c.Strength {
		if list == score.Words || list == score.Facts || list == score.Views && c.Type == score.View {
			c.Strength[list] = (strength + share) / 2
		}
	}
	delete(c.Strength, score.Exact)
	if exact == 0 || len(l.exact) == 0 {
		return
	}
	c.item.Exact = exact >= len(l.exact)
	has, all, text := 0.0, 0.0, strings.ToLower(c.Text)
	for _, s := range l.exact {
		s = strings.ToLower(s)
		weight := l.weightOf(s)
		all += weight
		if strings.Contains(text, s) {
			has += weight
		}
	}
	c.Strength[score.Exact] = has / max(1, all)
}

// weightOf is what an exact string counts: little if very many events have it.
func (l *look) weightOf(exact string) float64 {
	if l.common[exact] {
		return commonExact
	}
	return 1
}

// typeOf is what an event counts as. Tags say it where the kind does not.
func typeOf(e *session.Event) score.Type {
	for _, tag := range []score.Type{score.Constraint, score.Decision, score.Mistake, score.Success, score.Lesson} {
		if e.Has(string(tag)) {
			return tag
		}
	}
	switch e.Kind {
	case session.ToolCall:
		return score.ToolCall
	case session.ToolResult:
		return score.ToolResult
	case session.Decision:
		return score.Decision
	case session.SystemNote:
		return score.Note
	}
	return score.Dialogue
}
