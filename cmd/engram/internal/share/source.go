package share

import (
	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
)

const sourceLong = `Sources are the memories of other repositories, such as one that a whole
organization keeps. Queries search them too, and each answer says where a fact
comes from. Sources are only read, and only the facts meant for others: facts of
reach org or global, in the scopes that you asked for.

A source is an entry in this repository's git configuration, so it is yours and
not the team's. git fetches it, with your keys and settings, when you say so.`

const sourceExample = `  engram source add org git@example.com:org/memory.git --scope 'shared/*'
  engram source list
  engram source fetch
  engram source rm org`

// NewSourceCmd returns "engram source".
func NewSourceCmd(g *app.Globals) *cobra.Command {
	return app.Group(&cobra.Command{
		Use: "source", Short: "Read the memories of other repositories, too", Long: sourceLong, Example: sourceExample,
	}, newSourceAddCmd(g), newSourceListCmd(g), newSourceFetchCmd(g), newSourceRmCmd(g))
}
