package messages

import (
	"strings"

	"engram/bus"
	"engram/cmd/internal/term"
	"engram/memory"
)

// printSubmit prints what became of a message.
func printSubmit(out *term.Streams, r memory.SubmitResult, agent string) {
	switch {
	case out.Terminal && !r.Verdict.OK:
		printVerdict(out, r.Verdict)
		out.Printf("%s\n", out.Color.Dim("nothing was written"))
	case out.Terminal:
		printAccepted(out, r, agent)
	case !r.Verdict.OK:
		out.Message("refused: %s; nothing was written", r.Verdict.Code)
		for _, refusal := range r.Verdict.Refusals {
			printRefusal(out, refusal)
		}
		if r.Verdict.Resend != "" {
			out.Message("hint: this would be taken:\n")
			out.Printf("%s", r.Verdict.Resend)
		}
	default:
		printStoredRows(out, r)
	}
}

// printStoredRows prints the facts of a message for scripts.
func printStoredRows(out *term.Streams, r memory.SubmitResult) {
	for _, stored := range r.Stored {
		printStoredNotes(out, stored)
		out.Row(stored.Key, term.Either(stored.Proposed, "proposed", stored.MemoryOp), stored.FactID, stored.Revision)
	}
	for _, request := range r.Requests {
		out.Message("it asks to read %s: %s", request.Pointer.Ref, request.Reason)
	}
}

func printStoredNotes(out *term.Streams, stored memory.CommitResult) {
	for _, note := range append(stored.Notes, stored.Warnings...) {
		out.Message("note: %s: %s", stored.Key, note)
	}
}

// printAccepted says in one line what a message brought, then its facts as a list does, and
// how to grant what it asks for.
func printAccepted(out *term.Streams, r memory.SubmitResult, agent string) {
	added, known, proposed := 0, 0, 0
	for _, stored := range r.Stored {
		switch {
		case stored.Duplicate:
			known++
		case stored.Proposed:
			proposed++
		default:
			added++
		}
	}
	engrams := []string{term.Some(added, "engram added", "engrams added"), term.Some(proposed, "engram proposed", "engrams proposed"),
		term.Some(known, "engram known already", "engrams known already")}
	if len(r.Stored) == 0 {
		engrams = []string{"no engrams"}
	}
	turn := term.Either(agent == "", "", "the turn of "+agent+" is over")
	out.Printf("%s%s\n", out.Color.Green("accepted"), out.Color.Dim(" · "+term.Dotted(append(engrams, turn, term.Some(len(r.Requests), "request to grant", "requests to grant"))...)))
	for i, stored := range r.Stored {
		e := r.Engrams[i]
		state := term.Either(stored.Duplicate, "known already", term.Either(stored.Proposed, "proposed", ""))
		out.Printf("%s%s\n", out.Color.Bold(term.Plain(stored.Key)), out.Color.Dim("  "+term.Dotted(state, e.Scope, e.Kind)))
		out.Text("  ", e.Claim)
		printStoredNotes(out, stored)
	}
	for _, request := range r.Requests {
		printRequest(out, request, agent)
	}
}

// printRequest prints what a child asks to read, and the command that lets it, which is not
// broken into lines so that it can be copied.
func printRequest(out *term.Streams, d bus.DerefRequest, agent string) {
	out.Printf("%s %s\n", out.Color.Yellow("it asks to read"), term.Indented(term.Plain(d.Pointer.Ref+": "+d.Reason), out.Width, "  "))
	out.Printf("  engram bus grant %s --to %s\n", term.Quoted(term.Plain(d.Pointer.Ref)), term.Either(agent == "", "CHILD", term.Quoted(term.Plain(agent))))
}

// printRefusal prints one thing that was refused, and what to send instead.
func printRefusal(out *term.Streams, r memory.Refusal) {
	where := term.Either(r.Path != "" && !strings.HasPrefix(r.Reason, r.Path), r.Path+": ", "")
	out.Message("  %s%s", where, r.Reason)
	if r.Resend != "" {
		out.Message("  send instead: %s", r.Resend)
	}
}
