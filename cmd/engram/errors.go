package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"engram/memory"
)

// faultError is an error with what to do about it. Its code is memory.Classify's
// where none is set.
type faultError struct {
	error
	code memory.Code
	hint string
}

func (e *faultError) Unwrap() error { return e.error }

// usage returns a fault of the command line or of the configuration.
func usage(message, hint string) error {
	return &faultError{errors.New(message), memory.CodeUsage, hint}
}

// unusable returns a fault of a repository or machine that a command cannot work with.
func unusable(err error, hint string) error { return &faultError{err, memory.CodeUnusable, hint} }

// hinted adds what to do about it to an error.
func hinted(err error, hint string) error { return &faultError{err, "", hint} }

// isUsage reports whether err is a fault of the command line or of the configuration.
func isUsage(err error) bool {
	var fault *faultError
	return errors.As(err, &fault) && fault.code == memory.CodeUsage
}

// usageHint is the hint of a usage error, or "".
func usageHint(err error) string {
	var fault *faultError
	if !errors.As(err, &fault) || fault.code != memory.CodeUsage {
		return ""
	}
	return fault.hint
}

// usageOf makes an error of cobra's a usage error of the program of that name.
func usageOf(err error, program string) error {
	var fault *faultError
	if errors.As(err, &fault) {
		return err
	}
	message, suggestions, _ := strings.Cut(err.Error(), "\n")
	hint := "`" + program + " help` lists the commands and their options"
	if _, nearest, found := strings.Cut(suggestions, "\t"); found {
		hint = "did you mean `" + program + " " + strings.TrimSpace(nearest) + "`?"
	}
	return usage(message, hint)
}

// errAnsweredNo is the answer "no" of a command that has printed its answer.
var errAnsweredNo = errors.New("the answer is no")

// errRefused is a policy that says no, of a command that has said why.
var errRefused = errors.New("refused")

// outputError is standard output that did not take what was written to it.
type outputError struct{ err error }

func (e *outputError) Error() string { return "write standard output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// Exit statuses; the table is in ARCHITECTURE and in `engram help exit-codes`.
const (
	exitNo        = 1
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

// failureOf classifies an error: memory's own by memory.Classify.
func failureOf(ctx context.Context, err error) failure {
	f := failure{Message: err.Error()}
	var (
		fault   *faultError
		output  *outputError
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
		f.Code, f.Hint = memory.Classify(err)
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
	switch code {
	case memory.CodeNo:
		return exitNo
	case memory.CodeUsage:
		return exitUsage
	case memory.CodeUnusable:
		return exitUnusable
	case memory.CodeRefused:
		return exitRefused
	case memory.CodeLost:
		return exitLost
	case memory.CodeCancelled:
		return exitCancelled
	}
	return exitFailure
}

// report shows an error, as text or as JSON, and returns the exit status.
func (io *streams) report(ctx context.Context, err error, asJSON bool) int {
	var output *outputError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errAnsweredNo):
		return exitNo
	case errors.Is(err, errRefused):
		return exitRefused
	case errors.As(err, &output) && errors.Is(err, syscall.EPIPE):
		return exitPipe // the reader has had enough, as in `engram list | head`
	}
	f := failureOf(ctx, err)
	if asJSON {
		io.progress.clear()
		_ = writeJSON(io.err, errorReport{memory.SchemaVersion, f}) // nowhere left to complain
		return f.ExitCode
	}
	io.message("engram: %s", f.Message)
	const most = 20
	for i, r := range f.Rejected {
		if i == most {
			io.message("  … and %d more", len(f.Rejected)-most)
			break
		}
		io.message("  line %d: %s", r.Line, r.Problem)
	}
	if f.Hint != "" {
		io.message("hint: %s", f.Hint)
	}
	return f.ExitCode
}

type errorReport struct {
	SchemaVersion int     `json:"schema_version"`
	Error         failure `json:"error"`
}

// missing refuses a command without its argument.
func missing(command, what string) error {
	return usage(command+": "+what+" is missing", "`engram "+command+" --help` shows examples")
}

// tooMany refuses a text that a shell has split into words.
func tooMany(command, what string) error {
	return usage(fmt.Sprintf("%s takes one %s", command, what), "put a text of several words in quotes, or pass - to read it from standard input")
}

// refused shows why an answer given in a dialogue was not accepted. Another
// answer may be (again), unless somebody else was faster.
func (io *streams) refused(err error) (again bool, failure error) {
	code, hint := memory.Classify(err)
	switch code {
	case memory.CodeNo:
		hint = ""
	case memory.CodeUsage, memory.CodeRefused:
		again = true
	default:
		return false, err
	}
	io.message("engram: %s", err.Error())
	if hint != "" {
		io.message("hint: %s", hint)
	}
	return again, nil
}
