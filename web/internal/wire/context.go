// Package wire reads requests and writes answers: bodies and parameters, strictly, and
// errors with their HTTP status. What is known about a request's sender travels with its
// context. Which requests are let in is package web's business, and what endpoints do is
// package gateway's.
package wire

import "context"

// Caller is the sender of a request.
type Caller struct {
	Known bool   // its token is one that may speak
	Agent string // the agent that the token names; "" if it names none
	Name  string // what its requests are counted under
}

type callerKey struct{}

// WithCaller returns a context that knows the caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller of a request.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Notes are what is logged of a request. What it asked, and about which fact, is not
// among them: the path and the query may tell, the route does not.
type Notes struct {
	Route   string
	Caller  Caller
	Failure error // that the client is not told
	// Hide removes from a message the secrets that it repeats of what was said; nil
	// removes nothing.
	Hide func(message string, said ...string) string
	Said []string // the request, as far as an error may repeat it
}

type notesKey struct{}

// WithNotes returns a context that keeps notes.
func WithNotes(ctx context.Context, n *Notes) context.Context {
	return context.WithValue(ctx, notesKey{}, n)
}

// hide removes the secrets of the request from a message.
func (n *Notes) hide(message string) string {
	if n.Hide == nil {
		return message
	}
	return n.Hide(message, n.Said...)
}

// NotesOf returns the notes of a request, or notes that nobody reads.
func NotesOf(ctx context.Context) *Notes {
	if n, ok := ctx.Value(notesKey{}).(*Notes); ok {
		return n
	}
	return &Notes{}
}
