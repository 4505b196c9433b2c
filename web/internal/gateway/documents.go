package gateway

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"engram/memory"
	"engram/web/internal/wire"
)

// openAPI is GET /openapi.json.
func (a *api) openAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(a.opts.OpenAPI)
}

// schema is GET /schemas/{name}: with or without the ending .json.
func (a *api) schema(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSuffix(r.PathValue("name"), ".json") + ".json"
	if a.opts.Schemas != nil && fs.ValidPath(name) && !strings.Contains(name, "/") {
		if text, err := fs.ReadFile(a.opts.Schemas, name); err == nil {
			w.Header().Set("Content-Type", "application/schema+json")
			_, _ = w.Write(text)
			return
		}
	}
	wire.WriteError(w, r, wire.NewError(http.StatusNotFound, memory.CodeNo, fmt.Sprintf("there is no schema %.60q", name), "there is "+strings.Join(a.schemaNames(), ", ")))
}

func (a *api) schemaNames() []string {
	if a.opts.Schemas == nil {
		return []string{"none"}
	}
	names, err := fs.Glob(a.opts.Schemas, "*.json")
	if err != nil || len(names) == 0 {
		return []string{"none"}
	}
	return names
}

// metrics is GET /metrics, for Prometheus and its kin.
func (a *api) metrics(w http.ResponseWriter, r *http.Request) {
	sums, err := a.run(r, func(ctx context.Context, r *request) (any, error) {
		return r.memory.Telemetry(ctx)
	})
	if err != nil {
		wire.Fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", memory.MetricsType)
	_, _ = fmt.Fprint(w, sums.(memory.TelemetryResult).MetricsText())
}
