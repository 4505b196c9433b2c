package web

import (
	_ "embed"
	"io/fs"
	"net/http"

	"engram/web/internal/gateway"
)

// Lend lends the memory for one request; giveBack is told how that ended. Several
// requests have it at once.
type Lend = gateway.Lend

// Lent is a memory, and the agent that it is configured for.
type Lent = gateway.Lent

// APIOptions are the settings of the API; the zero value is the default.
type APIOptions struct {
	// Schemas are the files that /schemas/{name} shows; nil if there are none.
	Schemas fs.FS
}

//go:embed openapi.json
var openAPI []byte

// API is the gateway between agents: its handlers, by pattern, for Options.Routes.
// docs/api.md and openapi.json describe them.
func API(lend Lend, opts *APIOptions) map[string]http.Handler {
	given := gateway.Options{OpenAPI: openAPI}
	if opts != nil {
		given.Schemas = opts.Schemas
	}
	return gateway.Handlers(lend, &given)
}
