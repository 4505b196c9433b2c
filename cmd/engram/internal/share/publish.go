package share

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type publishOptions struct {
	*app.Globals
	in memory.PublishInput
}

const publishLong = `Publish facts of this memory to a source, such as the memory of an organization,
with the same key, lineage and id. The command shows what it would write there;
--yes writes it, in one commit on top of the source's tip, and pushes without
force.

Only facts of reach org or global that --scope or --key selects leave this
repository. If a published fact is retired here, it is retired there too. Facts
are scanned for secrets again.

Rejected are facts of reach run or project that --key names, facts whose key the
other memory uses for another fact, and facts that its rules do not allow. Then
nothing is published (exit code 4), or with --skip-refused the rest.

In a pipe it prints, tab-separated: action (add, update, retire, present or
refuse), key, scope, reason, claim.`

const publishExample = `  engram publish --to org --scope 'shared/*'
  engram publish --to org --scope shared/retry --yes
  engram publish --to org --key architecture/retry/backoff --yes`

// NewPublishCmd returns "engram publish".
func NewPublishCmd(g *app.Globals) *cobra.Command {
	opts := publishOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "publish --to NAME", Short: "Publish facts to another memory", Long: publishLong, Example: publishExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.in.To == "" {
				return fault.Missing("publish", "--to, the source to publish to,")
			}
			return runPublish(cmd.Context(), opts)
		},
	}
	flags.Bind(cmd.Flags(), &opts.in, "to", "scopes", "keys", "agent_id", "skip_refused", "apply")
	app.CompleteWith(cmd, "to", app.CompleteSources(g, 0))
	return cmd
}

func runPublish(ctx context.Context, opts publishOptions) error {
	in := opts.in
	print := func(out *term.Streams, r memory.PublishResult) { printPublish(out, r, in) }
	return app.Answer(ctx, opts.Globals, opts.OpenToWrite, print, func(m *memory.Memory, s config.Settings) (memory.PublishResult, error) {
		in.Agent = cmp.Or(in.Agent, s.Agent)
		return m.Publish(ctx, in)
	})
}

func printPublish(out *term.Streams, r memory.PublishResult, in memory.PublishInput) {
	for _, item := range r.Items {
		if !out.Terminal {
			out.Row(item.Action, item.Key.String(), item.Scope, item.Reason, item.Claim)
			continue
		}
		painted := out.Color.Green
		switch item.Action {
		case memory.PublishRefuse:
			painted = out.Color.Red
		case memory.PublishPresent:
			painted = out.Color.Dim
		}
		out.Printf("%s  %s\n", painted(fmt.Sprintf("%-7s", item.Action)), out.Color.Bold(term.Plain(item.Key.String())))
		out.Text("         ", item.Claim)
		if item.Reason != "" {
			out.Painted(out.Color.Dim, "         ", item.Reason)
		}
	}
	show.Notes(out, r.Notes)
	done := term.Plural(r.Writes, "fact", "facts") + term.Either(r.Applied, " published to ", " to publish to ") + r.To
	text := term.Dotted(done, term.Count(r.Present, "there already"), term.Count(r.Refused, "refused"), r.URL, "there "+term.Short(r.There))
	if out.Terminal {
		out.Printf("%s\n", out.Color.Dim(text))
	} else {
		out.Message("%s", text)
	}
	if !r.Applied && r.Writes > 0 {
		out.Message("hint: nothing was written; the same with --yes publishes it")
	}
	if !in.Apply && r.Refused > 0 {
		out.Message("hint: --yes refuses all because of what is refused; --skip-refused publishes the rest")
	}
}
