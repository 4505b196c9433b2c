package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"engram/memory"
)

type publishOptions struct {
	*globals
	in memory.PublishInput
}

const publishLong = `Bring facts of this memory to a source, such as the memory of an organization:
with the same key, lineage and id. It shows what would be written there; --yes
writes it, in one commit on top of what stands there, and pushes without force.

Only facts of reach org or global leave this repository, and only those that
--scope or --key name. A fact that was published and is retired here is retired
there as well. Texts are scanned for secrets again.

Refused are facts of reach run or project that --key names, facts whose key the
other memory has given to another fact, and what its rules do not take. Then
nothing is published (exit code 4), or with --skip-refused the rest.

In a pipe it prints, tab-separated: action (add, update, retire, present or
refuse), key, scope, reason, claim.`

const publishExample = `  engram publish --to org --scope 'shared/*'
  engram publish --to org --scope shared/retry --yes
  engram publish --to org --key architecture/retry/backoff --yes`

func newPublishCmd(g *globals) *cobra.Command {
	opts := publishOptions{globals: g}
	cmd := &cobra.Command{
		Use: "publish --to NAME", Short: "Bring facts to another memory", Long: publishLong, Example: publishExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.in.To == "" {
				return missing("publish", "--to, the source to publish to,")
			}
			return runPublish(cmd.Context(), opts, g.io)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.in.To, "to", "", "the source `NAME` to publish to")
	f.StringArrayVarP(&opts.in.Scopes, "scope", "s", nil, "facts of this topic `PATTERN`; may be repeated")
	f.StringArrayVarP(&opts.in.Keys, "key", "k", nil, "the fact at `KEY`, beside those of --scope; may be repeated")
	f.StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent that publishes (ENGRAM_AGENT)")
	f.BoolVar(&opts.in.SkipRefused, "skip-refused", false, "publish the rest where some facts are refused")
	f.BoolVar(&opts.in.Apply, "yes", false, "do it")
	completeEnums(cmd, g)
	completeWith(cmd, "to", completeSources(g, 0))
	return cmd
}

func runPublish(ctx context.Context, opts publishOptions, io *streams) error {
	in := opts.in
	m, s, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	in.Agent = cmp.Or(in.Agent, s.agent)
	result, err := m.Publish(ctx, in)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	io.published(result, in)
	return nil
}

func (io *streams) published(r memory.PublishResult, in memory.PublishInput) {
	for _, item := range r.Items {
		if !io.terminal {
			io.row(item.Action, item.Key.String(), item.Scope, item.Reason, item.Claim)
			continue
		}
		painted := io.color.green
		switch item.Action {
		case memory.PublishRefuse:
			painted = io.color.red
		case memory.PublishPresent:
			painted = io.color.dim
		}
		io.printf("%s  %s\n", painted(fmt.Sprintf("%-7s", item.Action)), io.color.bold(plain(item.Key.String())))
		io.printf("         %s\n", indented(plain(item.Claim), io.width, "         "))
		if item.Reason != "" {
			io.printf("         %s\n", io.color.dim(indented(plain(item.Reason), io.width, "         ")))
		}
	}
	for _, note := range r.Notes {
		io.message("note: %s", note)
	}
	present, refused := "", ""
	if r.Present > 0 {
		present = fmt.Sprintf("%d there already", r.Present)
	}
	if r.Refused > 0 {
		refused = fmt.Sprintf("%d refused", r.Refused)
	}
	done := plural(r.Writes, "fact", "facts") + " to publish to " + r.To
	if r.Applied {
		done = plural(r.Writes, "fact", "facts") + " published to " + r.To
	}
	text := dotted(done, present, refused, r.URL, "there "+short(r.There))
	if io.terminal {
		io.printf("%s\n", io.color.dim(text))
	} else {
		io.message("%s", text)
	}
	if !r.Applied && r.Writes > 0 {
		_ = io.flush() // what is meant comes before what is next
		io.message("hint: nothing was written; the same with --yes publishes it")
	}
	if !in.Apply && r.Refused > 0 {
		io.message("hint: --yes refuses all because of what is refused; --skip-refused publishes the rest")
	}
}
