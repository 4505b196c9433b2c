// Package queue has the pages of what waits for somebody's decision: conflicts and proposals.
package queue

import (
	"embed"

	"engram/dashboard/internal/site"
)

//go:embed pages/*.html
var templates embed.FS

// Section is its pages.
func Section() site.Section {
	return site.Section{Templates: templates, Pages: []site.Page{
		{Path: "/conflicts", Name: "Conflicts", File: "pages/conflicts.html", Read: readConflicts},
		{Path: "/conflicts/{id}", File: "pages/conflict.html", Read: readConflict, Write: settle},
		{Path: "/review", Name: "Review", File: "pages/review.html", Read: readReview, Write: decide},
	}}
}
