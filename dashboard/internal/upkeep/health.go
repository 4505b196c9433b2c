package upkeep

import (
	"fmt"

	"engram/dashboard/internal/site"
	"engram/hooks"
	"engram/memory"
)

// health is the page of the state of the memory.
type health struct {
	memory.StatusResult
	Index    string // state of the index, in words
	Sharing  string // state of the exchange with the remote, in words
	Sources  []memory.Source
	Examined bool
	Checks   []memory.Check
	Healthy  bool
	Hooks    hooks.Report
	NoHooks  string // why nothing can be said of hooks
}

func readHealth(r *site.Request) (site.View, error) {
	status, err := r.Memory.Status(r.Context(), memory.StatusInput{AskedBy: r.Agent})
	if err != nil {
		return site.View{}, err
	}
	sources, err := r.Memory.Sources(r.Context())
	if err != nil {
		return site.View{}, err
	}
	page := health{StatusResult: status, Index: index(status), Sharing: sharing(status), Sources: sources.Sources}
	// An examination reads every file of the branch, so it takes place only on request.
	if page.Examined = r.URL.Query().Get("examine") != ""; page.Examined {
		found, err := r.Memory.Doctor(r.Context(), memory.DoctorInput{})
		if err != nil {
			return site.View{}, err
		}
		page.Checks, page.Healthy = found.Checks, found.Healthy
		page.lookAtHooks(r)
	}
	return site.View{Title: "Health", Revision: status.Revision, Data: page}, nil
}

// lookAtHooks says which of git's hooks engram has in this repository.
func (h *health) lookAtHooks(r *site.Request) {
	place, err := hooks.Locate(r.Memory.WorkTree(), nil)
	if err == nil {
		h.Hooks, err = hooks.Status(r.Context(), place, hooks.Options{})
	}
	if err != nil {
		h.NoHooks = err.Error()
	}
}

func index(s memory.StatusResult) string {
	switch {
	case s.Indexed == "":
		return "not built yet; the next question builds it"
	case s.Pending > 0:
		return fmt.Sprintf("%d changed facts are indexed by the next question", s.Pending)
	}
	return "up to date"
}

func sharing(s memory.StatusResult) string {
	switch {
	case s.Remote == "":
		return "with nobody: no remote has this memory"
	case !s.QueuedSince.IsZero():
		return s.Remote + " cannot be reached; a sync waits for it"
	case s.Unshared == 0 && s.Behind == 0:
		return "with " + s.Remote + ", which has the same commits"
	}
	return fmt.Sprintf("with %s: %d commits to send, %d to merge", s.Remote, s.Unshared, s.Behind)
}
