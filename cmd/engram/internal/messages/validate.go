package messages

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type busValidateOptions struct {
	*app.Globals
	in     memory.MessageInput
	resend bool
}

const busValidateLong = `Check the form and budgets of a message, and write nothing. FILE is a message of
a child or a parent, as YAML or JSON; omit it or use - for standard input.
"engram help messages" shows the forms, "engram bus schema" their schemas.

"engram bus submit" also looks pointers up in this repository. A warning names
the pointers that it would reject; the verdict is on the message alone.

Each problem is listed with its place, limit and amount, and with what to send
instead. The whole message follows in a form that complies, if one can be made
without inventing anything. --resend prints only that form, or the message
itself if it complies.

Exit codes: 0 the message complies, 4 it exceeds the budgets, 1 the form is
wrong or a claim has no evidence. With --resend 0 whenever it prints something.

In a pipe it prints, tab-separated: code, path, limit, allowed, amount, reason,
what to send instead; a message that complies prints nothing.`

const busValidateExample = `  engram bus validate report.yml
  engram bus validate - --agent reviewer-1 --budget-token "$TOKEN" < report.yml
  engram bus validate report.yml --resend | engram bus submit -`

func newBusValidateCmd(g *app.Globals) *cobra.Command {
	opts := busValidateOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "validate [FILE|-]", Short: "Check the form and budgets of a message", Long: busValidateLong, Example: busValidateExample,
		Args: oneMessage,
		RunE: func(cmd *cobra.Command, args []string) error { return runBusValidate(cmd.Context(), opts, args) },
	}
	messageFlags(cmd, &opts.in)
	cmd.Flags().BoolVar(&opts.resend, "resend", false, "print only the form that complies")
	return cmd
}

// oneMessage makes a command take the file of one message.
func oneMessage(cmd *cobra.Command, args []string) error {
	return app.AtMostOne("message", "name one file, or pass - to read standard input")(cmd, args)
}

// messageFlags adds the flags of commands that read a message.
func messageFlags(cmd *cobra.Command, in *memory.MessageInput) {
	cmd.Flags().StringVarP(&in.Agent, "agent", "a", "", "`NAME` of the agent that sends it (ENGRAM_AGENT)")
	cmd.Flags().StringArrayVar(&in.BudgetTokens, "budget-token", nil, "`TOKEN` of a grant for code in it; may be repeated")
}

// readMessage reads the file of a message, or standard input if none is named.
func readMessage(ctx context.Context, g *app.Globals, args []string) ([]byte, error) {
	text, err := g.FileText(ctx, "the message", cmp.Or(strings.Join(args, ""), "-"))
	return []byte(text + "\n"), err
}

func runBusValidate(ctx context.Context, opts busValidateOptions, args []string) error {
	if opts.resend && opts.JSON {
		return fault.Usage("--resend and --json are two forms of the answer", "use one of them; resend is a field of the JSON")
	}
	in, out := opts.in, opts.Out
	var err error
	if in.Text, err = readMessage(ctx, opts.Globals, args); err != nil {
		return err
	}
	checked, err := app.Ask(ctx, opts.Open, func(m *memory.Memory, s config.Settings) (v validated, err error) {
		in.Agent = cmp.Or(in.Agent, s.Agent)
		if v.MessageResult, err = m.ValidateMessage(ctx, in); err == nil && v.OK {
			v.Warnings, err = submitWarnings(ctx, m, in)
		}
		return v, err
	})
	switch {
	case err != nil:
		return err
	case opts.JSON:
		err = out.JSON(checked)
	case opts.resend:
		err = printResend(out, checked.Verdict, in.Text)
	default:
		printVerdict(out, checked.Verdict)
	}
	if !opts.JSON {
		for _, w := range checked.Warnings {
			out.Message("warning: %s", w)
		}
	}
	if err == nil && !opts.resend {
		err = verdictStatus(checked.Verdict)
	}
	return err
}

// validated is a verdict, and what else "engram bus submit" would look at.
type validated struct {
	memory.MessageResult
	Warnings []string `json:"warnings,omitempty"`
}

// submitWarnings says why "engram bus submit" would reject a valid message in this
// repository. The verdict depends on the message alone and does not change.
func submitWarnings(ctx context.Context, m *memory.Memory, in memory.MessageInput) (warnings []string, err error) {
	refusals, err := m.SubmitRefusals(ctx, in)
	for _, r := range refusals {
		warnings = append(warnings, fmt.Sprintf("%s: %s; submit would refuse it", r.Path, r.Reason))
	}
	return warnings, err
}

// verdictStatus is ErrRefused if a budget was exceeded, ErrAnsweredNo for another problem.
func verdictStatus(v memory.Verdict) error {
	switch {
	case v.OK:
		return nil
	case v.Code == memory.BudgetExceeded:
		return fault.ErrRefused
	}
	return fault.ErrAnsweredNo
}

// printResend prints the message to send, and on standard error why it differs.
func printResend(out *term.Streams, v memory.Verdict, text []byte) error {
	for _, r := range v.Refusals {
		out.Message("%s: %s", r.Code, r.Reason)
	}
	switch {
	case v.OK:
		out.Printf("%s", text)
		return nil
	case v.Resend != "":
		out.Printf("%s", v.Resend)
		return nil
	}
	out.Message("hint: this cannot be fixed automatically; nothing is printed")
	return verdictStatus(v)
}

func printVerdict(out *term.Streams, v memory.Verdict) {
	if !out.Terminal {
		for _, r := range v.Refusals {
			count := func(n int) string { return term.Either(n == 0 && r.Name == "", "", fmt.Sprint(n)) } // a refusal may be of no limit
			out.Row(r.Code, r.Path, r.Name, count(r.Limit), count(r.Amount), r.Reason, r.Resend)
		}
		return
	}
	for _, r := range v.Refusals {
		out.Printf("%s  %s\n", out.Color.Red(r.Code), term.Indented(term.Plain(r.Reason), out.Width, "  "))
		if r.Resend != "" {
			out.Printf("  %s\n", out.Color.Dim("instead:"))
			out.Lines("    ", strings.TrimRight(instead(r), "\n"))
		}
	}
	word := term.Either(v.OK, out.Color.Green("fine"), out.Color.Red("refused"))
	out.Printf("%s%s\n", word, out.Color.Dim(" · "+term.Dotted(term.Either(v.Form == "", "no message", "message of a "+string(v.Form)), term.Plural(v.Tokens, "token", "tokens"), term.Plural(v.Engrams, "engram", "engrams"),
		term.Plural(v.CodeChars, "character of code", "characters of code"))))
	if v.Resend != "" {
		out.Printf("\n%s\n", out.Color.Bold("To send instead (engram bus validate --resend prints it alone):"))
		out.Lines("", strings.TrimSuffix(v.Resend, "\n"))
	}
}

// instead is the suggestion for one place, cut to a length that people read: JSON and the
// form to send have all of it.
func instead(r memory.Refusal) string {
	const most = 300
	if text := []rune(r.Resend); len(text) > most {
		return string(text[:most]) + "…"
	}
	return r.Resend
}
