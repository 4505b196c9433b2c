package knowledge

import (
	"cmp"
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"engram/dashboard/internal/site"
	"engram/facts"
	"engram/memory"
)

// Bounds of the page of a fact.
const (
	maxVersions  = 100
	maxExcerpts  = 4
	maxExcerpt   = 600 // tokens
	maxConflicts = 20
	maxBeside    = 10
)

// whole is the page of a fact.
type whole struct {
	Fact      memory.Fact
	Key       string
	AsOf      string
	Code      []excerpt
	Versions  []version
	Withheld  int
	Conflicts []memory.Conflict
	Picture   picture
	Beside    []memory.WhyFact // rest on the same lines
	Session   string           // id of the session that produced it
	Event     string
	Notes     []string
}

// excerpt is the code that a fact rests on.
type excerpt struct {
	Ref, Text, Language string
	Freshness           memory.Freshness
	Now                 string // where it moved to
	Problem             string
	Link                string // where it can be read, if it is not shown
}

// version is a version with its changes, word by word.
type version struct {
	memory.Version
	Op    string
	Parts []change
}

type change struct {
	Field string
	Words []site.Word
}

func readFact(r *site.Request) (site.View, error) {
	key := r.PathValue("key")
	page := whole{Key: key, AsOf: r.URL.Query().Get("as_of")}
	got, err := r.Memory.Get(r.Context(), memory.GetInput{Key: key, AsOf: moment(page.AsOf), AskedBy: r.Agent, Trust: page.AsOf == "" && !strings.Contains(key, ":")})
	if err != nil {
		return site.View{}, err
	}
	page.Fact, page.Notes = got.Fact, got.Notes
	view := site.View{Title: got.Fact.Key.String(), Revision: got.Revision, Code: len(got.Fact.Pointers) > 0}
	if id, event, ok := strings.Cut(strings.TrimPrefix(got.Fact.Session, "sam:"), "@"); id != "" {
		page.Session, page.Event = id, event
		_ = ok
	}
	if got.Fact.Origin == "" {
		err = errors.Join(page.history(r), page.conflicts(r))
		page.excerpts(r)
		page.beside(r)
		page.Picture = lineage(page)
	}
	view.Data = page
	return view, err
}

func (p *whole) history(r *site.Request) error {
	h, err := r.Memory.History(r.Context(), memory.HistoryInput{Key: p.Fact.Key.String(), Limit: maxVersions, AskedBy: r.Agent})
	if err != nil {
		return err
	}
	p.Withheld = h.Withheld
	for _, v := range h.Versions {
		one := version{Version: v}
		if v.Fact != nil {
			one.Op = v.Fact.MemoryOp
		}
		for _, c := range v.Changes {
			if slices.Contains([]string{"fact_id", "content_hash", "supersedes_fact_id", "created_at", "committed_at", "lineage", "operation"}, c.Field) {
				continue // the line above says as much
			}
			one.Parts = append(one.Parts, change{c.Field, site.Diff(c.From, c.To)})
		}
		p.Versions = append(p.Versions, one)
	}
	return nil
}

func (p *whole) conflicts(r *site.Request) error {
	c, err := r.Memory.Conflicts(r.Context(), memory.ConflictsInput{Key: p.Fact.Key.String(), Status: memory.AllStatuses, AskedBy: r.Agent, Limit: maxConflicts})
	p.Conflicts = c.Conflicts
	return err
}

// excerpts reads the code that the fact rests on, at the commit that it names. What cannot be read
// is said, and nothing else fails.
func (p *whole) excerpts(r *site.Request) {
	for _, pointer := range p.Fact.Pointers[:min(len(p.Fact.Pointers), maxExcerpts)] {
		e := excerpt{Ref: pointer.Ref, Freshness: pointer.Freshness, Now: pointer.Now}
		if address, err := facts.ParseRef(pointer.Ref); err == nil {
			e.Language = language(address.Path)
		}
		if r.Bound { // reading it costs the agent's budget
			e.Link = site.Root + "/bus/excerpt?ref=" + url.QueryEscape(pointer.Ref)
			p.Code = append(p.Code, e)
			continue
		}
		got, err := r.Memory.Deref(r.Context(), memory.DerefInput{Ref: pointer.Ref, MaxTokens: maxExcerpt})
		if err != nil {
			e.Problem = err.Error()
		}
		e.Text = got.Excerpt
		p.Code = append(p.Code, e)
	}
}

// language is the name of a file's language as highlighters call it; "" for none.
func language(name string) string {
	switch ext := strings.TrimPrefix(path.Ext(name), "."); ext {
	case "go", "json", "css", "sql", "java", "php", "lua", "swift", "diff":
		return ext
	case "py":
		return "python"
	case "js", "mjs", "jsx":
		return "javascript"
	case "ts", "tsx":
		return "typescript"
	case "rs":
		return "rust"
	case "rb":
		return "ruby"
	case "sh", "bash":
		return "bash"
	case "yml", "yaml":
		return "yaml"
	case "c", "h":
		return "c"
	case "cc", "cpp", "hpp":
		return "cpp"
	case "html", "xml":
		return "xml"
	case "md":
		return "markdown"
	case "toml", "ini":
		return "ini"
	}
	return ""
}

// beside finds what else rests on the lines of the first pointer into the repository.
func (p *whole) beside(r *site.Request) {
	for _, pointer := range p.Fact.Pointers {
		a, err := facts.ParseRef(cmp.Or(pointer.Now, pointer.Ref)) // where the lines are now
		if err != nil || !a.InRepository() || a.Path == "" {
			continue
		}
		why, err := r.Memory.Why(r.Context(), memory.WhyInput{Path: a.Path, First: a.FirstLine, Last: a.LastLine, AskedBy: r.Agent})
		if err != nil {
			return // the file may be gone from this checkout
		}
		for _, other := range why.Facts[:min(len(why.Facts), maxBeside)] {
			if other.Key != p.Fact.Key {
				p.Beside = append(p.Beside, other)
			}
		}
		return
	}
}

// picture is the lineage of a fact as a drawing: its versions in a line, and what contradicts it.
type picture struct {
	Width, Height int
	Nodes         []node
	Edges         []edge
}

type node struct {
	X, Y, W     int
	Title, Link string
	Label       string
	Clash       bool
}

type edge struct {
	X1, Y1, X2, Y2 int
	Clash          bool
}

// Sizes of a picture.
const (
	boxWidth  = 150
	boxHeight = 34
	boxGap    = 26
	mostBoxes = 5
)

// lineage draws the newest versions from left to right, and the conflicts below.
func lineage(p whole) (pic picture) {
	versions := p.Versions[:min(len(p.Versions), mostBoxes)]
	for i := range versions {
		v := versions[len(versions)-1-i]
		x := i * (boxWidth + boxGap)
		pic.Nodes = append(pic.Nodes, node{X: x, W: boxWidth, Title: v.Op + ", " + v.Subject, Link: "#v" + v.Commit, Label: label(v)})
		if i > 0 {
			pic.Edges = append(pic.Edges, edge{x - boxGap, boxHeight / 2, x, boxHeight / 2, false})
		}
	}
	last := max(len(versions)-1, 0) * (boxWidth + boxGap)
	rows := 0
	for _, c := range p.Conflicts[:min(len(p.Conflicts), mostBoxes)] {
		rows++
		other := c.KeyA
		if other == p.Fact.Key.String() {
			other = c.KeyB
		}
		y := rows * (boxHeight + boxGap)
		pic.Nodes = append(pic.Nodes, node{X: last, Y: y, W: boxWidth, Title: c.Status + " conflict with " + other, Link: site.Root + site.Path("/conflicts", c.ConflictID), Label: shorten(lastPart(other)), Clash: c.Status == "open"})
		pic.Edges = append(pic.Edges, edge{last + boxWidth/2, y - boxGap, last + boxWidth/2, y, c.Status == "open"})
	}
	pic.Width, pic.Height = last+boxWidth+2, (rows+1)*(boxHeight+boxGap)-boxGap+2
	if len(pic.Nodes) < 2 {
		return picture{} // one version that nothing contradicts needs no drawing
	}
	return pic
}

func label(v version) string { return v.Op + " · " + v.Date.UTC().Format("2 Jan 2006") }

func lastPart(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

func shorten(text string) string { return facts.Cut(text, 20) }

// retire ends a fact.
func retire(r *site.Request) (site.Said, error) {
	key := r.PostFormValue("key")
	done, err := r.Memory.Retire(r.Context(), key, r.PostFormValue("reason"), r.Agent)
	return written(key, "retired", done), err
}

// edit writes another claim for a fact, as a new version. What the form does not have stays as it was.
func edit(r *site.Request) (site.Said, error) {
	key := r.PostFormValue("key")
	was, err := r.Memory.Get(r.Context(), memory.GetInput{Key: key, AskedBy: r.Agent})
	if err != nil {
		return site.Said{}, err
	}
	f := was.Fact
	if f.FactID != r.PostFormValue("seen") {
		return site.Said{}, site.Outdated("somebody changed " + key + " since you opened this page; look at the new version, and edit that")
	}
	done, err := r.Memory.Commit(r.Context(), memory.CommitInput{
		Claim: r.PostFormValue("claim"), Detail: r.PostFormValue("detail"), Key: key, Scope: f.Scope, Kind: f.Kind, Type: f.FactType, Reach: f.Reach,
		Agent: r.Agent, Confidence: f.Confidence, Tags: f.Tags, Pointers: f.Pointers, Evidence: f.Evidence, TTL: f.TTL, Durability: f.Durability,
		Operation: "update", Lineage: f.LineageID,
	})
	return written(key, "edited", done), err
}

// written says what was done to a fact, or that it waits for a review.
func written(key, how string, done memory.CommitResult) site.Said {
	said := site.Said{Path: site.Path("/facts", key), Done: how, Revision: done.Revision}
	if done.Proposed {
		said.Done, said.Revision = "proposed", "" // it is on another branch
	}
	return said
}
