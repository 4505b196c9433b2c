package purge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// plan is what a purge removes from the history of one revision.
type plan struct {
	m        *Purger
	tip      string
	keys     []facts.Key
	reason   string
	redactor *redactor

	versions  []gitstore.Entry  // of the keys
	ids       map[string]string // fact ids, by blob
	details   []string          // lines of purged texts beside the claims
	conflicts []facts.Key
	mentions  []Mention
	// purgedBefore is what the manifest names already.
	purgedBefore []string
	unread       int // files that could not be searched
}

// minDetail is the minimum length, in characters, of a line of a detail that is searched for
// elsewhere.
const minDetail = 16

// newPlan searches every version of every file in the history:
//
//  1. The versions of the keys have the texts to search for.
//  2. Conflicts with one of the keys as a side are removed too: they quote it.
//  3. Any other file that names a key or repeats a text is reported.
func (m *Purger) newPlan(ctx context.Context, tip string, keys []facts.Key, reason string) (*plan, error) {
	p := &plan{m: m, tip: tip, keys: keys, reason: reason, redactor: newRedactor(), ids: make(map[string]string)}
	manifest, err := m.Manifest(ctx, tip)
	if err != nil {
		return nil, err
	}
	for _, name := range manifest.Purged {
		if _, err := m.Store.Describe(ctx, name); err == nil { // else that history is gone from here
			p.purgedBefore = append(p.purgedBefore, name)
		}
	}
	introduced, _, err := m.Store.Introduced(ctx, "", tip)
	if err != nil {
		return nil, err
	}
	if err := p.readVersions(ctx, introduced); err != nil {
		return nil, err
	}
	if text := core.MessageText(reason); p.redactor.quotes(text) || p.redactor.quotes(reason) {
		return nil, core.UsageErrorf(hint.New("say why without repeating it"), "the reason repeats what is to be purged, and would stay")
	}
	if err := p.search(ctx, introduced); err != nil {
		return nil, err
	}
	for _, k := range p.conflicts { // last: facts that name a conflict are not about the purged ones
		p.redactor.keys[k] = false
	}
	return p, nil
}

func (p *plan) readVersions(ctx context.Context, introduced []gitstore.Change) error {
	existed := make(map[facts.Key]bool)
	var files []gitstore.File
	for _, c := range introduced {
		if k, ok := facts.KeyOfPath(c.Path); ok && c.New != "" && slices.Contains(p.keys, k) {
			existed[k] = true
			files = append(files, gitstore.File{Path: c.Path, Blob: c.New})
		}
	}
	var paths []string
	for _, k := range p.keys {
		if !existed[k] {
			return fmt.Errorf("%w: %s never was on %s", core.ErrNotFound, k, p.m.Store.Branch())
		}
		p.redactor.keys[k] = false
		paths = append(paths, k.Path())
	}
	for file, err := range p.m.Store.ReadAll(ctx, files) {
		if err != nil {
			return err
		}
		if f, err := core.Parse(file); err == nil {
			p.redactor.add(f)
			p.ids[file.Blob] = f.ID
			p.addDetails(f.Detail)
		}
	}
	var err error
	p.versions, err = p.m.Store.Versions(ctx, p.tip, paths)
	return err
}

func (p *plan) addDetails(detail string) {
	for line := range strings.SplitSeq(detail, "\n") {
		if line = strings.TrimSpace(line); utf8.RuneCountInString(line) >= minDetail && !slices.Contains(p.details, line) {
			p.details = append(p.details, line)
		}
	}
}

// search reads everything but the purged versions.
func (p *plan) search(ctx context.Context, introduced []gitstore.Change) error {
	var files []gitstore.File
	for _, c := range introduced {
		if k, ok := facts.KeyOfPath(c.Path); c.New != "" && !(ok && slices.Contains(p.keys, k)) {
			files = append(files, gitstore.File{Path: c.Path, Blob: c.New})
		}
	}
	going := make(map[facts.Key]bool)
	found := make(map[string]*Mention)
	done := 0
	for file, err := range p.m.Store.ReadAll(ctx, files) {
		if err != nil {
			return err
		}
		if done++; done%256 == 0 {
			p.m.Progress("searching versions", done, len(files))
		}
		if file.Err != nil {
			p.unread++
			continue
		}
		key, isFact := facts.KeyOfPath(file.Path)
		names, repeats := p.inspect(file)
		switch {
		case isFact && detect.IsConflict(key) && p.hasPurgedSide(file, names):
			going[key] = true
		case names || repeats:
			if err := p.mention(ctx, found, file, names, repeats); err != nil {
				return err
			}
		}
	}
	for key := range going {
		p.conflicts = append(p.conflicts, key)
		delete(found, key.Path())
	}
	for _, mention := range found {
		p.mentions = append(p.mentions, *mention)
	}
	slices.SortFunc(p.conflicts, func(a, b facts.Key) int { return strings.Compare(a.String(), b.String()) })
	slices.SortFunc(p.mentions, func(a, b Mention) int { return cmp.Compare(a.Path, b.Path) })
	return nil
}

// inspect looks for the keys and the texts in a file. A file that is a fact is
// read as one: YAML may write a text with escapes.
func (p *plan) inspect(file gitstore.File) (names, repeats bool) {
	texts := []string{string(file.Data)}
	if f, err := core.Parse(file); err == nil {
		texts = append(texts, f.Claim, f.Detail, f.Provenance.Evidence)
		texts = append(texts, f.Tags...)
	}
	for _, text := range texts {
		names = names || len(p.redactor.mentioned(text)) > 0
		repeats = repeats || p.redactor.quotes(text) || slices.ContainsFunc(p.details, func(d string) bool { return strings.Contains(text, d) })
	}
	return names, repeats
}

// hasPurgedSide reports whether a purged fact is a side of a conflict, or took the
// place of its sides. A conflict that cannot be read is taken by what it names.
func (p *plan) hasPurgedSide(file gitstore.File, names bool) bool {
	f, err := core.Parse(file)
	if err != nil {
		return names
	}
	return slices.ContainsFunc(f.Pointers, func(pointer facts.Pointer) bool { return len(p.redactor.mentioned(pointer.Ref)) > 0 })
}

func (p *plan) mention(ctx context.Context, found map[string]*Mention, file gitstore.File, names, repeats bool) error {
	blob, err := p.m.Store.BlobAt(ctx, p.tip, file.Path)
	if err != nil {
		return err
	}
	m := found[file.Path]
	if m == nil {
		m = &Mention{Path: file.Path}
		found[file.Path] = m
	}
	m.Stands = m.Stands || blob == file.Blob
	m.Names, m.Repeats = m.Names || names, m.Repeats || repeats
	return nil
}

// rewrite tells the store what to remove.
func (p *plan) rewrite(ctx context.Context) gitstore.Rewrite {
	r := gitstore.Rewrite{
		Message: p.redactor.message, Last: func(done gitstore.Rewritten) ([]gitstore.Write, gitstore.Meta, error) { return p.last(ctx, done) },
		Progress: func(done, total int) { p.m.Progress("rewriting commits", done, total) },
	}
	for _, k := range slices.Concat(p.keys, p.conflicts) {
		r.Drop = append(r.Drop, k.Path())
	}
	return r
}

// last is the commit on top: it names the history that was replaced.
func (p *plan) last(ctx context.Context, done gitstore.Rewritten) ([]gitstore.Write, gitstore.Meta, error) {
	file, err := p.m.Store.Get(ctx, p.tip, facts.ManifestPath)
	if err != nil {
		return nil, gitstore.Meta{}, err
	}
	names := append(slices.Clone(done.First), done.Old)
	for _, k := range p.keys {
		names = append(names, facts.PurgedKey(k))
	}
	data, err := facts.AddPurged(file.Data, names)
	if err != nil {
		return nil, gitstore.Meta{}, fmt.Errorf("%w: %w", core.ErrNotMemory, err)
	}
	manifest, err := facts.ParseManifest(data)
	if err != nil {
		return nil, gitstore.Meta{}, fmt.Errorf("%w: %w", core.ErrNotMemory, err)
	}
	return []gitstore.Write{{Path: facts.ManifestPath, Data: data}}, core.CommitMeta(manifest, p.message(p.reason)), nil
}

// redactor removes purged keys and claims from texts.
type redactor struct {
	keys map[facts.Key]bool // true: the key says what the claim said, so it goes too
	// claims are what messages may quote: whole claims, or their beginnings as
	// messageLine cuts them.
	claims []string
}

const (
	purgeVerb = "purge"
	redacted  = "(purged)"
	// shortClaim is below how many characters a claim may be part of any text by
	// chance. It counts only if the text says nothing else.
	shortClaim = 12
)

func newRedactor() *redactor { return &redactor{keys: make(map[facts.Key]bool)} }

// add takes a version that is purged.
func (r *redactor) add(f facts.Fact) {
	r.keys[f.Key] = r.keys[f.Key] || derivedFrom(f.Key, f.Claim)
	quoted := strings.TrimSuffix(core.MessageText(f.Claim), "…")
	if quoted != "" && !slices.Contains(r.claims, quoted) {
		r.claims = append(r.claims, quoted)
	}
}

// derivedFrom reports whether a key was made of the words of a claim, as keys are
// that nobody stated.
func derivedFrom(k facts.Key, claim string) bool {
	slug := facts.Slug(claim)
	return slug != "" && (strings.HasPrefix(k.Identifier, slug) || k.Sub != "" && strings.HasPrefix(k.Sub, slug))
}

// message is the message of a commit without what is purged, line by line.
func (r *redactor) message(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = r.line(line)
	}
	return strings.Join(lines, "\n")
}

// line keeps of a line that mentions a purged key, or quotes a purged claim, no
// more than "verb KEY". What a purge itself wrote mentions keys for good reason.
func (r *redactor) line(line string) string {
	quotes := r.quotes(line)
	if !quotes && len(r.mentioned(line)) == 0 {
		return line
	}
	verb, rest, _ := strings.Cut(line, " ")
	name, said, _ := strings.Cut(rest, " ")
	key, err := facts.ParseKey(strings.TrimSuffix(name, ":"))
	switch {
	case err != nil || strings.ContainsAny(verb, ":/"):
		return redacted
	case r.keys[key]:
		return verb + " " + redacted
	case said == "" && !strings.HasSuffix(name, ":"), verb == purgeVerb && !quotes:
		return line
	}
	return verb + " " + key.String() + ": " + redacted
}

// quotes reports whether a text repeats a purged claim.
func (r *redactor) quotes(text string) bool {
	return slices.ContainsFunc(r.claims, func(claim string) bool {
		if utf8.RuneCountInString(claim) >= shortClaim {
			return strings.Contains(text, claim)
		}
		_, said, found := strings.Cut(text, ": ")
		return found && strings.TrimSpace(said) == claim || strings.TrimSpace(text) == claim
	})
}

// mentioned are the purged keys that a text names, as whole words; also as
// paths of files.
func (r *redactor) mentioned(text string) (keys []facts.Key) {
	other := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._/-", c))
	}
	for word := range strings.FieldsFuncSeq(text, other) {
		if strings.Count(word, "/") < 2 {
			continue
		}
		word = strings.TrimSuffix(strings.Trim(word, "./"), facts.FileSuffix)
		key, err := facts.ParseKey(strings.TrimLeft(word, "-_"))
		if err != nil {
			continue
		}
		if _, purged := r.keys[key]; purged && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
