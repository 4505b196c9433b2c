// Package upkeep has the pages about the state of a memory: which facts need a look, and whether
// the repository, the index and the sources are well.
package upkeep

import (
	"embed"

	"engram/dashboard/internal/site"
)

//go:embed pages/*.html
var templates embed.FS

// Section is its pages.
func Section() site.Section {
	return site.Section{Templates: templates, Pages: []site.Page{
		{Path: "/expiring", Name: "Expiring", Copied: true, File: "pages/expiring.html", Read: readExpiring},
		{Path: "/verify", Write: verify},
		{Path: "/reverify", Write: reverify},
		{Path: "/health", Name: "Health", File: "pages/health.html", Read: readHealth},
	}}
}
