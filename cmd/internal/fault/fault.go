// Package fault is how a command fails: errors with what to do about them, how
// they are shown, and the exit status of each.
package fault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"engram/cmd/internal/term"
	"engram/memory"
)

// Error is an error with what to do about it. Its code is memory.Classify's
// where none is set.
type Error struct {
	error
	code memory.Code
	hint string
}

func (e *Error) Unwrap() error { return e.error }

// Usage returns a fault of the command line or of the configuration.
func Usage(message, hint string) error {
	return &Error{errors.New(message), memory.CodeUsage, hint}
}

// Unusable returns a fault of a repository or machine that a command cannot work with.
func Unusable(err error, hint string) error { return &Error{err, memory.CodeUnusable, hint} }

// Hinted adds what to do about it to an error.
func Hinted(err error, hint string) error { return &Error{err, "", hint} }

// IsUsage reports whether err is a fault of the command line or of the configuration.
func IsUsage(err error) bool {
	var fault *Error
	return errors.As(err, &fault) && fault.code == memory.CodeUsage
}

// UsageHint is the hint of a usage error, or "".
func UsageHint(err error) string {
	var fault *Error
	if errors.As(err, &fault) && fault.code == memory.CodeUsage {
		return fault.hint
	}
	return ""
}

// UsageOf makes an error of cobra's a usage error of the program of that name.
func UsageOf(err error, program string) error {
	var fault *Error
	if errors.As(err, &fault) {
		return err
	}
	message, suggestions, _ := strings.Cut(err.Error(), "\n")
	hint := "`" + program + " help` lists the commands and their options"
	if _, nearest, found := strings.Cut(suggestions, "\t"); found {
		hint = "did you mean `" + program + " " + strings.TrimSpace(nearest) + "`?"
	}
	return Usage(message, hint)
}

// ErrAnsweredNo is the answer "no" of a command that has printed its answer.
var ErrAnsweredNo = errors.New("the answer is no")

// ErrRefused is a refusal by a policy or budget, after the command has said why.
var ErrRefused = errors.New("refused")

// NoIf is ErrAnsweredNo if the answer is "no" and nothing has failed, otherwise err.
func NoIf(no bool, err error) error {
	if err == nil && no {
		return ErrAnsweredNo
	}
	return err
}

// Exit statuses; the table is in ARCHITECTURE and in `engram help exit-codes`.
const (
	ExitNo        = 1
	exitUsage     = 2
	exitUnusable  = 3
	exitRefused   = 4
	exitLost      = 5
	exitFailure   = 70
	exitCancelled = 130
	exitPipe      = 141 // what a shell reports for a process ended by SIGPIPE
)

// failure is an error as it is shown.
type failure struct {
	Code     memory.Code     `json:"code"`
	ExitCode int             `json:"exit_code"`
	Message  string          `json:"message"`
	Hint     string          `json:"hint"`
	Rejected []memory.Reject `json:"rejected,omitempty"` // of an import
}

// FailureOf classifies an error: memory's own by memory.Classify.
func FailureOf(ctx context.Context, err error) failure {
	f := failure{Message: err.Error()}
	var (
		fault   *Error
		output  *term.OutputError
		imports *memory.ImportError
	)
	switch {
	case ctx.Err() != nil: // whatever broke, it broke because of that
		f.Code, f.Message = memory.CodeCancelled, "cancelled"
	case errors.As(err, &output):
		f.Code = memory.CodeFailure
	case errors.As(err, &fault) && fault.code != "":
		f.Code = fault.code
	default:
		code, advice := memory.Classify(err)
		f.Code, f.Hint = code, advice.String()
	}
	if fault != nil {
		f.Hint = fault.hint
	}
	if errors.As(err, &imports) {
		f.Rejected = imports.Rejected
	}
	f.ExitCode = exitStatus(f.Code)
	return f
}

func exitStatus(code memory.Code) int {
	statuses := map[memory.Code]int{
		memory.CodeNo: ExitNo, memory.CodeUsage: exitUsage, memory.CodeUnusable: exitUnusable,
		memory.CodeRefused: exitRefused, memory.CodeLost: exitLost, memory.CodeCancelled: exitCancelled,
	}
	return cmp.Or(statuses[code], exitFailure)
}

// Report shows an error, as text or as JSON, and returns the exit status.
func Report(ctx context.Context, out *term.Streams, err error, asJSON bool) int {
	var output *term.OutputError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrAnsweredNo):
		return ExitNo
	case errors.Is(err, ErrRefused):
		return exitRefused
	case errors.As(err, &output) && errors.Is(err, syscall.EPIPE):
		return exitPipe // the reader has had enough, as in `engram list | head`
	}
	f := FailureOf(ctx, err)
	if asJSON {
		if hide := out.Hide; hide != nil {
			f.Message, f.Hint = hide(f.Message), hide(f.Hint)
		}
		out.Progress.Clear()
		_ = term.WriteJSON(out.Err, errorReport{memory.SchemaVersion, f}) // nowhere left to complain
		return f.ExitCode
	}
	out.Message("engram: %s", f.Message)
	const most = 20
	for i, r := range f.Rejected {
		if i == most {
			out.Message("  … and %d more", len(f.Rejected)-most)
			break
		}
		out.Message("  line %d: %s", r.Line, r.Problem)
	}
	if f.Hint != "" {
		out.Message("hint: %s", f.Hint)
	}
	return f.ExitCode
}

type errorReport struct {
	SchemaVersion int     `json:"schema_version"`
	Error         failure `json:"error"`
}

// Missing rejects a command without its argument.
func Missing(command, what string) error {
	return Usage(command+": "+what+" is missing", "`engram "+command+" --help` shows examples")
}

// TooMany rejects a text that a shell has split into words.
func TooMany(command, what string) error {
	return Usage(fmt.Sprintf("%s takes one %s", command, what), "put a text of several words in quotes, or pass - to read it from standard input")
}

// Explain shows why an answer given in a dialogue was not accepted. again reports whether
// another answer may be.
func Explain(out *term.Streams, err error) (again bool, failure error) {
	code, advice := memory.Classify(err)
	hint := advice.String()
	switch code {
	case memory.CodeNo:
		hint = ""
	case memory.CodeUsage, memory.CodeRefused:
		again = true
	default:
		return false, err
	}
	out.Message("engram: %s", err.Error())
	if hint != "" {
		out.Message("hint: %s", hint)
	}
	return again, nil
}
