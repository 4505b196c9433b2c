// Package topics is what "engram help TOPIC" prints beside the commands.
package topics

import (
	"github.com/spf13/cobra"

	"engram/cmd/internal/config"
)

// Commands are pages of help that belong to no single command.
func Commands() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "What exit codes mean", Long: exitCodesTopic},
		{Use: "configuration", Short: "What can be set, and where", Long: config.Topic},
		{Use: "messages", Short: "What agents send each other", Long: messagesTopic},
		{Use: "pointers", Short: "How pointers are written", Long: pointersTopic},
		{Use: "times", Short: "How times are written", Long: timesTopic},
	}
}

const exitCodesTopic = `Every command ends with one of these exit codes, and with --json an error says
it on standard error as error.exit_code, with error.code beside it:

  code  error.code  meaning
     0              done
     1  no          the answer is "no": no such key or conflict; lint or doctor
                    found a problem; check found a conflict, detect a clash; a
                    message between agents has the wrong form
     2  usage       wrong usage, input that is not valid, or wrong configuration
     3  unusable    the repository or the branch cannot be used
     4  refused     refused by policy, such as a text that looks like a secret,
                    or by a budget
     5  lost        lost to other writers or a lock after all retries; try again
    70  failure     anything else
   130  cancelled   ended by Ctrl-C or a request to stop; serve, mcp and watch,
                    which run until then, end with 0

If no fact matches a question, the answer is an empty list and the exit code 0.
A command that was refused, lost or cancelled has written nothing to the branch.`

const timesTopic = `You can write times as

  2026-04-30T12:00:00Z       RFC 3339, with any zone
  2026-04-30                 a date: its first moment in UTC
  now, today, yesterday      the first moment of that day in UTC, or this one
  "90s ago", 15m, 36h        seconds, minutes, hours before now
  3d, "2w ago", "6 months"   days, weeks, months, years (y) before now

Output has RFC 3339 in UTC in pipes and in --json, and local time on a terminal.`
