// Package work has the pages of what agents do: sessions with their conversations and artifacts, and
// what agents exchange.
package work

import (
	"embed"

	"engram/dashboard/internal/site"
)

//go:embed pages/*.html
var templates embed.FS

// Section is its pages.
func Section() site.Section {
	return site.Section{Templates: templates, Pages: []site.Page{
		{Path: "/sessions", Name: "Sessions", File: "pages/sessions.html", Read: readSessions},
		{Path: "/sessions/{id}", File: "pages/session.html", Read: readSession},
		{Path: "/sessions/{id}/artifacts/{digest}", Raw: artifact},
		{Path: "/bus", Name: "Bus", File: "pages/bus.html", Read: readBus},
		{Path: "/bus/excerpt", File: "pages/excerpt.html", Read: readExcerpt},
	}}
}
