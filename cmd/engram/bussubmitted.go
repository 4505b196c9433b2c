package main

import (
	"strings"

	"engram/bus"
	"engram/memory"
)

// submitted prints what became of a message.
func (io *streams) submitted(r memory.SubmitResult, agent string) {
	switch {
	case io.terminal && !r.Verdict.OK:
		io.verdict(r.Verdict)
		io.printf("%s\n", io.color.dim("nothing was written"))
	case io.terminal:
		io.accepted(r, agent)
	case !r.Verdict.OK:
		io.message("refused: %s; nothing was written", r.Verdict.Code)
		for _, refusal := range r.Verdict.Refusals {
			io.refusal(refusal)
		}
		if r.Verdict.Resend != "" {
			io.message("hint: this would be taken:\n")
			io.printf("%s", r.Verdict.Resend)
		}
	default:
		io.storedRows(r)
	}
}

// storedRows prints the facts of a message for scripts.
func (io *streams) storedRows(r memory.SubmitResult) {
	for _, stored := range r.Stored {
		io.storedNotes(stored)
		done := stored.MemoryOp
		if stored.Proposed {
			done = "proposed"
		}
		io.row(stored.Key, done, stored.FactID, stored.Revision)
	}
	for _, request := range r.Requests {
		io.message("it asks to read %s: %s", request.Pointer.Ref, request.Reason)
	}
}

func (io *streams) storedNotes(stored memory.CommitResult) {
	for _, note := range append(stored.Notes, stored.Warnings...) {
		io.message("note: %s: %s", stored.Key, note)
	}
}

// accepted says in one line what a message brought, then its facts as a list does, and
// how to grant what it asks for.
func (io *streams) accepted(r memory.SubmitResult, agent string) {
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
	count := func(n int, one, many string) string { return either(n == 0, "", plural(n, one, many)) }
	engrams := []string{count(added, "engram added", "engrams added"), count(proposed, "engram proposed", "engrams proposed")}
	if known > 0 {
		engrams = append(engrams, plural(known, "engram", "engrams")+" known already")
	}
	if len(r.Stored) == 0 {
		engrams = []string{"no engrams"}
	}
	turn := either(agent == "", "", "the turn of "+agent+" is over")
	io.printf("%s%s\n", io.color.green("accepted"), io.color.dim(" · "+dotted(append(engrams, turn, count(len(r.Requests), "request to grant", "requests to grant"))...)))
	for i, stored := range r.Stored {
		e := r.Engrams[i]
		state := either(stored.Duplicate, "known already", either(stored.Proposed, "proposed", ""))
		io.printf("%s%s\n", io.color.bold(plain(stored.Key)), io.color.dim("  "+dotted(state, e.Scope, e.Kind)))
		io.printf("  %s\n", indented(plain(e.Claim), io.width, "  "))
		_ = io.flush() // what is noted of a fact comes after it
		io.storedNotes(stored)
	}
	for _, request := range r.Requests {
		io.request(request, agent)
	}
}

// request prints what a child asks to read, and the command that lets it, which is not
// broken into lines so that it can be copied.
func (io *streams) request(d bus.DerefRequest, agent string) {
	io.printf("%s %s\n", io.color.yellow("it asks to read"), indented(plain(d.Pointer.Ref+": "+d.Reason), io.width, "  "))
	io.printf("  engram bus grant %s --to %s\n", quoted(plain(d.Pointer.Ref)), either(agent == "", "CHILD", quoted(plain(agent))))
}

// refusal prints one thing that was refused, and what to send instead.
func (io *streams) refusal(r memory.Refusal) {
	where := ""
	if r.Path != "" && !strings.HasPrefix(r.Reason, r.Path) {
		where = r.Path + ": "
	}
	io.message("  %s%s", where, r.Reason)
	if r.Resend != "" {
		io.message("  send instead: %s", r.Resend)
	}
}
