package agents

import (
	"fmt"
	"slices"
	"strings"

	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/mcp"
	"engram/mcp/setup"
)

// usable rejects options that contradict each other, before any file is read.
func (opts setupOptions) usable() error {
	clients := setup.ClientNames()
	list := "it knows " + strings.Join(clients, ", ")
	for _, c := range opts.clients {
		if !slices.Contains(clients, c) {
			return fault.Usage(fmt.Sprintf("setup knows no client %.40q", c), meant(c, clients)+list)
		}
	}
	if opts.all == (len(opts.clients) > 0) {
		return fault.Usage("setup takes the name of a client, or --all", list)
	}
	if opts.check && opts.remove || opts.check && opts.print || opts.remove && opts.print {
		return fault.Usage("setup does one of --check, --remove and --print", "`engram setup --help` shows examples")
	}
	return usableProfiles(opts.profiles)
}

// usableProfiles rejects profiles that the server does not know. Commas separate
// several, as they do for the server.
func usableProfiles(profiles []string) error {
	known := mcp.Profiles()
	for _, list := range profiles {
		for _, p := range strings.Split(list, ",") {
			if !slices.Contains(known, p) {
				return fault.Usage(fmt.Sprintf("%v: %.40q", mcp.ErrNoProfile, p), meant(p, known)+"there is "+strings.Join(known, ", ")+"; `engram mcp --help` says what each adds")
			}
		}
	}
	return nil
}

// meant asks whether the known name that is nearest to a typed one was meant: at
// most two letters are wrong, or one of them is the other's beginning. It is empty
// if no name is near.
func meant(typed string, known []string) string {
	const most, least = 2, 3 // letters that are wrong; letters of a beginning
	typed = strings.ToLower(typed)
	best, distance := "", most+1
	for _, name := range known {
		d := config.EditDistance(typed, name)
		if min(len(typed), len(name)) >= least && (strings.HasPrefix(name, typed) || strings.HasPrefix(typed, name)) {
			d = min(d, most)
		}
		if d < distance && d < len(name) {
			best, distance = name, d
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + best + "? "
}
