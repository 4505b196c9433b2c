package sessions

import (
	"errors"
	"math"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
)

const sealLong = `Move the events of running sessions from their journals to references of git.
Hooks start this command by themselves; it is for whoever does not want to wait.
With an ID, in full, it seals that session and brings the index and its markers
up to date; without one those that rested for a minute. It prints nothing.`

// afterHook is how long a client may take to write what belongs to a turn whose end its
// hook has told. Codex writes meanwhile.
const afterHook = 500 * time.Millisecond

func newSealCmd(g *app.Globals) *cobra.Command {
	var transcript string
	cmd := &cobra.Command{
		Use: "seal [ID]", Short: "Move the journals of sessions to git now", Long: sealLong,
		Example: "  engram session seal\n  engram session seal 0f3a52c1-8b1e-4c1f-9d53-6a1c2c0b7d11",
		Args:    app.AtMostOne("session", "`engram session list` shows the ids there are"), ValidArgsFunction: app.CompleteSessions(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			m, _, done, err := g.Open(ctx)
			if err != nil {
				return err
			}
			defer done()
			if len(args) == 0 {
				return m.SealSessions(ctx, math.MaxInt64)
			}
			if transcript == "" {
				_, err := m.ReadySession(ctx, args[0], math.MaxInt64)
				return err
			}
			select { // clients write the end of a turn after their hooks
			case <-time.After(afterHook):
			case <-ctx.Done():
			}
			captured := m.CaptureRest(ctx, args[0], transcript)
			_, err = m.ReadySession(ctx, args[0], math.MaxInt64)
			return errors.Join(captured, err)
		},
	}
	cmd.Flags().StringVar(&transcript, "transcript", "", "first read, half a second later, what the client wrote into its `FILE` meanwhile")
	return cmd
}
