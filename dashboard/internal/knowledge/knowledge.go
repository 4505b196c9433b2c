// Package knowledge has the pages about facts.
package knowledge

import (
	"embed"

	"engram/dashboard/internal/site"
)

//go:embed pages/*.html
var templates embed.FS

// Section is its pages.
func Section() site.Section {
	return site.Section{Templates: templates, Pages: []site.Page{
		{Path: "/facts", Name: "Facts", Copied: true, File: "pages/facts.html", Read: readFacts},
		{Path: "/facts/{key...}", File: "pages/fact.html", Read: readFact},
		{Path: "/timeline", Name: "Timeline", Copied: true, File: "pages/timeline.html", Read: readTimeline},
		{Path: "/agents", Name: "Agents", Copied: true, File: "pages/agents.html", Read: readAgents},
		{Path: "/map", Name: "Map", Copied: true, File: "pages/map.html", Read: readMap},
		{Path: "/retire", Write: retire},
		{Path: "/edit", Write: edit},
	}}
}
