package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

const policyLong = `Show what the team agreed on about its memory: engram.yml on the memory branch.
It says which agent may read and write which topics and when, how many commits
an agent may make an hour, whether names are stored, whether commits are signed,
what is reviewed, and what a git hook fails by.

The rules hold for everybody who uses engram. They are no wall: whoever has the
branch can read it with git, and whoever may push it can write to it. "engram
check" and "engram audit" list what went past them.

In a pipe it prints names and values, tab-separated, a line each: namespace,
anonymous_mode, anon_agents, rate_limit, signed_commits, permission (agent,
scope, read, write, valid_from, valid_until), review.namespace,
review.unknown_authors, review.author, gate, unknown.`

const policyExample = `  engram policy
  engram policy edit
  engram policy --json | jq -r .text > engram.yml
  engram policy set --file engram.yml`

func newPolicyCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "policy", Short: "Show or change what the team agreed on", Long: policyLong, Example: policyExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPolicy(cmd.Context(), g, g.io) },
	}
	cmd.AddCommand(newPolicyEditCmd(g), newPolicySetCmd(g))
	return cmd
}

func runPolicy(ctx context.Context, g *globals, io *streams) error {
	m, _, err := g.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.Policy(ctx)
	if err != nil {
		return err
	}
	if g.json {
		return io.json(result)
	}
	if io.terminal {
		io.policy(result)
	} else {
		io.policyRows(result)
	}
	for _, u := range result.Unknown {
		nearest := ""
		if u.Nearest != "" {
			nearest = "; did you mean " + u.Nearest + "?"
		}
		io.message("warning: engram.yml has a field %s, which this engram does not know and which does nothing%s", u.Name, nearest)
	}
	for _, note := range result.Notes {
		io.message("note: %s", note)
	}
	return nil
}

func (io *streams) policyRows(r memory.PolicyResult) {
	for _, n := range r.Namespaces {
		io.row("namespace", n)
	}
	io.row("anonymous_mode", strconv.FormatBool(r.AnonymousMode))
	io.row("anon_agents", strconv.FormatBool(r.AnonAgents))
	io.row("rate_limit", strconv.Itoa(r.RateLimit))
	io.row("signed_commits", strconv.FormatBool(r.SignedCommits))
	for _, p := range r.Permissions {
		from, until := "", ""
		if p.ValidFrom != nil {
			from = stamp(*p.ValidFrom)
		}
		if p.ValidUntil != nil {
			until = stamp(*p.ValidUntil)
		}
		io.row("permission", p.Agent, p.Scope, maybe(p.Read), maybe(p.Write), from, until)
	}
	for _, n := range r.Review.Namespaces {
		io.row("review.namespace", n)
	}
	io.row("review.unknown_authors", strconv.FormatBool(r.Review.UnknownAuthors))
	for _, a := range r.Review.Authors {
		io.row("review.author", a)
	}
	for _, gate := range r.Gates {
		io.row("gate", gate)
	}
	for _, u := range r.Unknown {
		io.row("unknown", u.Name, u.Nearest)
	}
}

// policy says to a person what holds.
func (io *streams) policy(r memory.PolicyResult) {
	rate := "an agent may make as many commits as it likes"
	if r.RateLimit > 0 {
		rate = "an agent may make " + plural(r.RateLimit, "commit", "commits") + " an hour; people as many as they like"
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
	list := []pair{
		{"people", either(r.AnonymousMode, "their names are not stored (anonymous_mode)", "facts and commits have their names")},
		{"agents", either(r.AnonAgents, "each has a random name a session (anon_agents)", "facts have their names")},
		{"rate", rate},
		{"signatures", either(r.SignedCommits, "every commit is signed", "commits are not signed")},
	}
	for i, p := range permissions {
		list = append(list, pair{either(i == 0, "permissions", " "), p})
	}
	list = append(list,
		pair{"review", strings.Join(review, "; ")},
		pair{"gates", "secrets" + either(len(r.Gates) > 0, ", ", "") + strings.Join(r.Gates, ", ")},
		pair{"namespaces", "the nine" + either(len(r.Namespaces) > 0, ", ", "") + strings.Join(r.Namespaces, ", ")})
	io.pairs("", list)
	io.printf("%s\n", io.color.dim(dotted("engram.yml", "revision "+short(r.Revision))))
	_ = io.flush() // what holds comes before what can be done
	io.message("hint: `engram policy edit` changes it")
}

func either(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// maybe is "" for what is not said.
func maybe(says *bool) string {
	if says == nil {
		return ""
	}
	return strconv.FormatBool(*says)
}
