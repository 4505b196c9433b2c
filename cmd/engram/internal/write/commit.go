// Package write has the commands that write facts: commit, promote, retire, import.
package write

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/facts"
	"engram/memory"
)

type commitOptions struct {
	*app.Globals
	in         memory.CommitInput
	pointers   []string
	detailFile string
	validFrom  string
	validUntil string
}

const commitLong = `Write one fact. When the command returns, the fact is durable and every later
query sees it (an ephemeral fact only with --ephemeral).

If you omit --key, engram makes a key from kind, scope and claim. If the key
already has a fact, the new claim becomes its next version; the earlier version
stays in the history. The next version keeps scope, kind, type, reach and tags
unless you set them again; evidence, pointers, detail, confidence and TTL belong
to the claim and are not carried over. Committing the same claim in the same
scope again writes nothing.

A claim is one paragraph of at most 500 characters; put longer text into
--detail. Text that looks like a secret is rejected with exit code 4.

A --pointer says where the evidence is: src/a.go:12-40, docs/spec.md#Heading, or
a full reference. engram adds the current commit and a digest of the content.
See engram help pointers.

--branch binds the fact to the code branch it was learned on. It is visible only
on that branch, beside the fact at the same key, and replaces that fact when the
branch is merged. See engram help promote.

The new fact is compared with the others before the command answers. If it
contradicts one, the conflict is written with it, and the answer says so.

In a pipe it prints: key, what was done (add, update, delete or none), fact id,
revision, and the keys of facts that it contradicts, separated by commas.`

const commitExample = `  engram commit "Sessions live 30 minutes, sliding." --scope auth/session
  engram commit "Refunds above 500 EUR need a manager." --kind policy \
      --key domain/payments/refunds --pointer billing/refund.go:12-40
  git log -1 --format=%B | engram commit - --kind diff --agent ci
  engram commit "The API takes JSON only." --key domain/api/format --branch
  engram commit "The staging database is down." --ttl P2D --durability ephemeral`

// NewCommitCmd returns "engram commit".
func NewCommitCmd(g *app.Globals) *cobra.Command {
	opts := commitOptions{Globals: g}
	var confidence float64
	cmd := &cobra.Command{
		Use: "commit CLAIM|-", Aliases: []string{"add"}, Short: "Write one fact", Long: commitLong, Example: commitExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("confidence") {
				opts.in.Confidence = &confidence
			}
			return runCommit(cmd.Context(), opts, args)
		},
	}
	f := cmd.Flags()
	flags.Bind(f, &opts.in, "key", "scope", "kind", "fact_type", "reach", "agent_id", "tags", "evidence", "ttl",
		"operation", "lineage_id", "durability", "detail", "source", "session")
	flags.Text(f, &opts.validFrom, &opts.in, "valid_from", "")
	flags.Text(f, &opts.validUntil, &opts.in, "valid_until", "")
	f.Float64Var(&confidence, "confidence", 0, "how sure it is, `0 to 1`")
	f.StringArrayVarP(&opts.pointers, "pointer", "p", nil, "evidence, such as `PATH`:12-40 (see engram help pointers); may be repeated")
	f.StringVar(&opts.detailFile, "detail-file", "", "read the detail from `FILE`, or - for standard input")
	app.BranchOption(f, &opts.in.Branch, "bind it to the code branch `NAME`; without a name, to the branch of this work tree")
	return cmd
}

func runCommit(ctx context.Context, opts commitOptions, args []string) error {
	in, err := opts.input(ctx, args)
	if err != nil {
		return err
	}
	opts.Scanner.Warm()
	open := opts.Open
	if facts.Operation(in.Operation) == facts.OpUpdate && in.Key == "" && in.Lineage == "" {
		open = opts.OpenWithModel // the fact has to be found by its meaning
	}
	return app.Answer(ctx, opts.Globals, open, show.Commit, func(m *memory.Memory, s config.Settings) (memory.CommitResult, error) {
		in.Agent, in.Session = cmp.Or(in.Agent, s.Agent), cmp.Or(in.Session, opts.Getenv("ENGRAM_SESSION"))
		in.Client, in.Within = clientOf(opts.Getenv)
		for i, p := range in.Pointers {
			in.Pointers[i].Ref = opts.FromTop(m.WorkTree(), p.Ref)
		}
		return m.Commit(ctx, in)
	})
}

func (opts commitOptions) input(ctx context.Context, args []string) (memory.CommitInput, error) {
	in := opts.in
	var err error
	switch op := facts.Operation(in.Operation); {
	case len(args) > 1 && in.Branch == memory.CurrentBranch:
		return in, fault.Usage("commit takes one claim", "quote a text of several words, and name a branch with --branch=NAME")
	case len(args) > 1:
		return in, fault.TooMany("commit", "claim")
	case len(args) == 1:
		if in.Claim, err = opts.Text(ctx, "the claim", args[0]); err != nil {
			return in, err
		}
	case op != facts.OpDelete && op != facts.OpNone:
		return in, fault.Missing("commit", "the claim")
	}
	if opts.detailFile != "" {
		if in.Detail != "" {
			return in, fault.Usage("--detail and --detail-file say the same thing", "use one of them")
		}
		if in.Detail, err = opts.FileText(ctx, "the detail", opts.detailFile); err != nil {
			return in, err
		}
	}
	in.Pointers = app.Pointers(opts.pointers)
	if in.ValidFrom, err = app.TimeFlag("valid-from", opts.validFrom, opts.Now()); err != nil {
		return in, err
	}
	in.ValidUntil, err = app.TimeFlag("valid-until", opts.validUntil, opts.Now())
	return in, err
}

// clientOf says which client runs this program for its agent, and in which session, as far
// as the client tells that to the programs that it starts.
func clientOf(getenv func(string) string) (client, session string) {
	for _, c := range []struct{ client, mark, session string }{
		{"claude-code", "CLAUDECODE", "CLAUDE_CODE_SESSION_ID"}, {"codex", "CODEX_THREAD_ID", "CODEX_THREAD_ID"}, {"gemini", "GEMINI_CLI", ""},
		{"opencode", "OPENCODE", "OPENCODE_SESSION_ID"}, // engram's plugin sets the second one
	} {
		if getenv(c.mark) != "" {
			return c.client, getenv(c.session)
		}
	}
	return "", ""
}
