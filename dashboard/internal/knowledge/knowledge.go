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
		{Path: "/facts", Name: "Facts", File: "pages/facts.html", Read: readFacts},
		{Path: "/facts/{key...}", File: "pages/fact.html", Read: readFact},
		{Path: "/timeline", Name: "Timeline", File: "pages/timeline.html", Read: readTimeline},
		{Path: "/agents", Name: "Agents", File: "pages/agents.html", Read: readAgents},
		{Path: "/map", Name: "Map", File: "pages/map.html", Read: readMap},
		{Path: "/retire", Write: retire},
		{Path: "/edit", Write: edit},
	}}
}
