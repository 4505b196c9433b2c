package team

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

const policyLong = `Show the team's policy for its memory: engram.yml on the memory branch. It says
which agents may read and write which topics and when, how many commits an agent
may make an hour, whether names are stored, whether commits are signed, which
facts are reviewed, which checks make a git hook fail, and which sessions of
agents are shared without asking.

The rules apply to everybody who uses engram. They are not access control:
anybody who has the branch can read it with git, and anybody who may push can
write to it. "engram check" and "engram audit" list violations.

In a pipe it prints names and values, tab-separated, a line each: namespace,
anonymous_mode, anon_agents, rate_limit, signed_commits, sessions, permission
(agent, scope, read, write, valid_from, valid_until), review.namespace,
review.unknown_authors, review.author, gate, unknown.`

const policyExample = `  engram policy
  engram policy edit
  engram policy --json | jq -r .text > engram.yml
  engram policy set --file engram.yml`

// NewPolicyCmd returns "engram policy".
func NewPolicyCmd(g *app.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "policy", Short: "Show or change the team's policy", Long: policyLong, Example: policyExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(cmd.Context(), g, g.Open, printPolicy, func(m *memory.Memory, _ config.Settings) (memory.PolicyResult, error) {
				return m.Policy(cmd.Context())
			})
		},
	}
	cmd.AddCommand(newPolicyEditCmd(g), newPolicySetCmd(g))
	return cmd
}

func printPolicy(out *term.Streams, r memory.PolicyResult) {
	if out.Terminal {
		printPolicyText(out, r)
	} else {
		printPolicyRows(out, r)
	}
	for _, u := range r.Unknown {
		nearest := term.Either(u.Nearest != "", "; did you mean "+u.Nearest+"?", "")
		out.Message("warning: engram.yml has a field %s, which this engram does not know and which does nothing%s", u.Name, nearest)
	}
	show.Notes(out, r.Notes)
}

func printPolicyRows(out *term.Streams, r memory.PolicyResult) {
	for _, n := range r.Namespaces {
		out.Row("namespace", n)
	}
	out.Row("anonymous_mode", strconv.FormatBool(r.AnonymousMode))
	out.Row("anon_agents", strconv.FormatBool(r.AnonAgents))
	out.Row("rate_limit", strconv.Itoa(r.RateLimit))
	out.Row("signed_commits", strconv.FormatBool(r.SignedCommits))
	out.Row("sessions", r.Sessions)
	for _, p := range r.Permissions {
		out.Row("permission", p.Agent, p.Scope, maybe(p.Read), maybe(p.Write), term.StampOf(p.ValidFrom), term.StampOf(p.ValidUntil))
	}
	for _, n := range r.Review.Namespaces {
		out.Row("review.namespace", n)
	}
	out.Row("review.unknown_authors", strconv.FormatBool(r.Review.UnknownAuthors))
	for _, a := range r.Review.Authors {
		out.Row("review.author", a)
	}
	for _, gate := range r.Gates {
		out.Row("gate", gate)
	}
	for _, u := range r.Unknown {
		out.Row("unknown", u.Name, u.Nearest)
	}
}

// printPolicyText prints the policy for a person.
func printPolicyText(out *term.Streams, r memory.PolicyResult) {
	rate := "an agent may make as many commits as it likes"
	if r.RateLimit > 0 {
		rate = "an agent may make " + term.Plural(r.RateLimit, "commit", "commits") + " an hour; people as many as they like"
	}
	var permissions []string
	for _, p := range r.Permissions {
		permissions = append(permissions, p.Means)
	}
	if len(permissions) == 0 {
		permissions = []string{"everybody may read and write everything"}
	}
	var review []string
	if len(r.Review.Namespaces) > 0 {
		review = append(review, "facts in "+strings.Join(r.Review.Namespaces, ", "))
	}
	if r.Review.UnknownAuthors {
		review = append(review, "facts by others than "+strings.Join(r.Review.Authors, ", "))
	}
	if len(review) == 0 {
		review = []string{"nothing is reviewed before it holds"}
	}
	list := []term.Pair{
		{"people", term.Either(r.AnonymousMode, "their names are not stored (anonymous_mode)", "facts and commits have their names")},
		{"agents", term.Either(r.AnonAgents, "each has a random name a session (anon_agents)", "facts have their names")},
		{"rate", rate},
		{"signatures", term.Either(r.SignedCommits, "every commit is signed", "commits are not signed")},
	}
	for i, p := range permissions {
		list = append(list, term.Pair{term.Either(i == 0, "permissions", " "), p})
	}
	list = append(list,
		term.Pair{"review", strings.Join(review, "; ")},
		term.Pair{"gates", "secrets" + term.Either(len(r.Gates) > 0, ", ", "") + strings.Join(r.Gates, ", ")},
		term.Pair{"sessions", map[string]string{
			"never": "none is shared without asking", "own": "each clone shares its own (`engram session share --auto`)",
			"pushed": "those whose commits are pushed are shared (`engram session share --auto`)",
		}[r.Sessions]},
		term.Pair{"namespaces", "the nine" + term.Either(len(r.Namespaces) > 0, ", ", "") + strings.Join(r.Namespaces, ", ")})
	out.Pairs("", list)
	out.Summary("engram.yml", "revision "+term.Short(r.Revision))
	out.Message("hint: `engram policy edit` changes it")
}

// maybe is "" if the value is not set.
func maybe(says *bool) string {
	if says == nil {
		return ""
	}
	return strconv.FormatBool(*says)
}
