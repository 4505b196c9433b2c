package knowledge

import (
	"cmp"
	"slices"
	"strings"

	"engram/dashboard/internal/site"
	"engram/memory"
)

// chart is the page of scopes as a picture that one can enter: the area of a field is its number of
// facts, its colour says whether they are disputed or rest on code that changed.
type chart struct {
	Scope  string
	Trail  []crumb
	Here   memory.OutlineScope
	Fields []field
	Width  int
	Height int
	Unseen bool // no evidence was checked by this process
}

type crumb struct{ Name, Link string }

type field struct {
	memory.OutlineScope
	Name       string
	X, Y, W, H int
	Tone       string
	Link       string
	Shown      bool // the name fits
}

// Sizes of the map.
const (
	mapWidth  = 1180
	mapHeight = 560
	mostField = 60
)

func readMap(r *site.Request) (site.View, error) {
	got, err := r.Memory.Outline(r.Context(), memory.OutlineInput{AskedBy: r.Agent})
	if err != nil {
		return site.View{}, err
	}
	page := chart{Scope: strings.Trim(r.URL.Query().Get("scope"), "/"), Here: got.Memory, Width: mapWidth, Height: mapHeight, Unseen: got.Checked.IsZero()}
	page.Trail = []crumb{{"All", site.Root + "/map"}}
	if page.Scope != "" {
		path := ""
		for part := range strings.SplitSeq(page.Scope, "/") {
			path = strings.TrimPrefix(path+"/"+part, "/")
			at := slices.IndexFunc(page.Here.Scopes, func(s memory.OutlineScope) bool { return s.Scope == path })
			if at < 0 {
				page.Here = memory.OutlineScope{Scope: page.Scope}
				break
			}
			page.Here = page.Here.Scopes[at]
			page.Trail = append(page.Trail, crumb{part, site.Root + "/map?scope=" + path})
		}
	}
	page.fields()
	return site.View{Title: "Map", Revision: got.Revision, Data: page}, nil
}

// fields lays out what is below the scope, the largest first, with a field for the facts of the
// scope itself.
func (c *chart) fields() {
	list := slices.Clone(c.Here.Scopes)
	own := c.Here
	own.Scopes = nil
	for _, s := range list {
		own.Facts, own.Disputed, own.Doubted, own.Expired = own.Facts-s.Facts, own.Disputed-s.Disputed, own.Doubted-s.Doubted, own.Expired-s.Expired
	}
	if own.Facts > 0 {
		list = append(list, own)
	}
	list = slices.DeleteFunc(list, func(s memory.OutlineScope) bool { return s.Facts <= 0 })
	slices.SortStableFunc(list, func(a, b memory.OutlineScope) int { return cmp.Compare(b.Facts, a.Facts) })
	list = list[:min(len(list), mostField)]
	for _, s := range list {
		f := field{OutlineScope: s, Name: lastPart(s.Scope), Tone: "calm", Link: site.Root + "/map?scope=" + s.Scope}
		if s.Scope == c.Here.Scope {
			f.Name, f.Link = "here", site.Root+"/facts?scope="+s.Scope
		} else if len(s.Scopes) == 0 {
			f.Link = site.Root + "/facts?scope=" + s.Scope
		}
		switch {
		case s.Disputed > 0:
			f.Tone = "clash"
		case s.Doubted > 0 || s.Expired > 0:
			f.Tone = "stale"
		}
		c.Fields = append(c.Fields, f)
	}
	squarify(c.Fields, 0, 0, mapWidth, mapHeight)
	for i := range c.Fields {
		f := &c.Fields[i]
		f.Shown = f.W > 9*len(f.Name)+16 && f.H > 40
	}
}

// squarify lays out fields of falling size in a rectangle, so that each is about as wide as high
// (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000).
func squarify(list []field, x, y, w, h float64) {
	total := 0.0
	for _, f := range list {
		total += float64(f.Facts)
	}
	for len(list) > 0 && total > 0 {
		side, scale := min(w, h), w*h/total
		n, sum := 0, 0.0
		worst := func(n int, sum float64) float64 {
			length := sum * scale / side // of the row, across
			most := 0.0
			for _, f := range list[:n] {
				of := float64(f.Facts) * scale / length
				most = max(most, length/of, of/length)
			}
			return most
		}
		for n < len(list) {
			next := sum + float64(list[n].Facts)
			if n > 0 && worst(n+1, next) > worst(n, sum) {
				break
			}
			n, sum = n+1, next
		}
		length, along := sum*scale/side, 0.0
		for i := range list[:n] {
			of := float64(list[i].Facts) * scale / length
			if w >= h {
				list[i].place(x, y+along, length, of)
			} else {
				list[i].place(x+along, y, of, length)
			}
			along += of
		}
		if w >= h {
			x, w = x+length, w-length
		} else {
			y, h = y+length, h-length
		}
		list, total = list[n:], total-sum
	}
}

// place rounds to whole units, with a gap to the neighbours.
func (f *field) place(x, y, w, h float64) {
	const gap = 4
	f.X, f.Y = int(x), int(y)
	f.W, f.H = max(int(x+w)-f.X-gap, 2), max(int(y+h)-f.Y-gap, 2)
}
