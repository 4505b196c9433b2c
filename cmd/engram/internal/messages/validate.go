package messages

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type busValidateOptions struct {
	*app.Globals
	args   []string
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
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runBusValidate(cmd.Context(), opts, g.Out)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent that sends it (ENGRAM_AGENT)")
	f.StringArrayVar(&opts.in.BudgetTokens, "budget-token", nil, "`TOKEN` of a grant for code in it; may be repeated")
	f.BoolVar(&opts.resend, "resend", false, "print only the form that complies")
	app.CompleteWith(cmd, "agent", cobra.NoFileCompletions)
	app.CompleteWith(cmd, "budget-token", cobra.NoFileCompletions)
	return cmd
}

// messagePath is the file of a message: standard input where none is named.
func messagePath(command string, args []string) (string, error) {
	switch len(args) {
	case 0:
		return "-", nil
	case 1:
		return args[0], nil
	}
	return "", fault.Usage(command+" takes one message", "name one file, or pass - to read standard input")
}

func runBusValidate(ctx context.Context, opts busValidateOptions, out *term.Streams) error {
	path, err := messagePath("bus validate", opts.args)
	if err != nil {
		return err
	}
	if opts.resend && opts.JSON {
		return fault.Usage("--resend and --json are two forms of the answer", "use one of them; resend is a field of the JSON")
	}
	text, err := opts.FileText(ctx, "the message", path)
	if err != nil {
		return err
	}
	m, s, done, err := opts.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	in := opts.in
	in.Text, in.Agent = []byte(text+"\n"), cmp.Or(in.Agent, s.Agent)
	result, err := m.ValidateMessage(ctx, in)
	if err != nil {
		return err
	}
	checked := validated{MessageResult: result}
	if result.OK {
		if checked.Warnings, err = submitWarnings(ctx, m, in); err != nil {
			return err
		}
	}
	switch {
	case opts.JSON:
		err = out.JSON(checked)
	case opts.resend:
		err = printResend(out, result.Verdict, in.Text)
	default:
		printVerdict(out, result.Verdict)
	}
	if !opts.JSON {
		_ = out.Flush() // the verdict comes before what is not part of it
		for _, w := range checked.Warnings {
			out.Message("warning: %s", w)
		}
	}
	if err == nil && !opts.resend {
		err = verdictStatus(result.Verdict)
	}
	return err
}

// validated is a verdict, and what else "engram bus submit" would look at.
type validated struct {
	memory.MessageResult
	Warnings []string `json:"warnings,omitempty"`
}

// submitWarnings says what a message that is fine would be refused for in this
// repository. The verdict is a function of the message, and stays what it is.
func submitWarnings(ctx context.Context, m *memory.Memory, in memory.MessageInput) (warnings []string, err error) {
	refusals, err := m.SubmitRefusals(ctx, in)
	for _, r := range refusals {
		warnings = append(warnings, fmt.Sprintf("%s: %s; submit would refuse it", r.Path, r.Reason))
	}
	return warnings, err
}

// verdictStatus is a budget that refuses, or the answer "no".
func verdictStatus(v memory.Verdict) error {
	switch {
	case v.OK:
		return nil
	case v.Code == memory.BudgetExceeded:
		return fault.ErrRefused
	}
	return fault.ErrAnsweredNo
}

// printResend prints what to send, and says on standard error why that is another message.
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
			out.Row(r.Code, r.Path, r.Name, countOrNone(r.Limit, r.Name), countOrNone(r.Amount, r.Name), r.Reason, r.Resend)
		}
		return
	}
	for _, r := range v.Refusals {
		out.Printf("%s  %s\n", out.Color.Red(r.Code), term.Indented(term.Plain(r.Reason), out.Width, "  "))
		if r.Resend != "" {
			out.Printf("  %s\n", out.Color.Dim("instead:"))
			for line := range strings.SplitSeq(strings.TrimRight(instead(r), "\n"), "\n") {
				out.Printf("    %s\n", term.Plain(line))
			}
		}
	}
	word := out.Color.Green("fine")
	if !v.OK {
		word = out.Color.Red("refused")
	}
	out.Printf("%s%s\n", word, out.Color.Dim(" · "+term.Dotted(formName(v), term.Plural(v.Tokens, "token", "tokens"), term.Plural(v.Engrams, "engram", "engrams"),
		term.Plural(v.CodeChars, "character of code", "characters of code"))))
	if v.Resend != "" {
		out.Printf("\n%s\n%s", out.Color.Bold("To send instead (engram bus validate --resend prints it alone):"), printable(v.Resend))
	}
}

// instead is what complies in one place, as far as people read it: all of it is in the
// JSON, and in the form to send.
func instead(r memory.Refusal) string {
	const most = 300
	if text := []rune(r.Resend); len(text) > most {
		return string(text[:most]) + "…"
	}
	return r.Resend
}

// printable makes control characters of a text of several lines visible.
func printable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = term.Plain(line)
	}
	return strings.Join(lines, "\n")
}

func formName(v memory.Verdict) string {
	if v.Form == "" {
		return "no message"
	}
	return fmt.Sprintf("message of a %s", v.Form)
}

// countOrNone is empty where a refusal is of no limit.
func countOrNone(n int, limit string) string {
	if n == 0 && limit == "" {
		return ""
	}
	return fmt.Sprint(n)
}
