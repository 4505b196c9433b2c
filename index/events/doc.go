// Package events finds events of sessions: it keeps a full-text index over the events
// of every session, with the tip of each session that it reflects. It is apart from the
// index of facts and kept up to date as that one is: derived and disposable, behind
// lock files, so that any number of processes share it.
//
// Each event is a document whose name says all that a hit does, so the index holds no
// text. Each session has a document as well, named by the session and the tip that the
// index reflects: catching up with a turn writes one of them, however many sessions
// there are.
package events
