// Package ledger keeps what the bus has to remember in one clone: the key that grants
// are signed with, what was used up of them and of the turns of agents, and a log of
// what happened. All of it is local, is in one folder, and holds counts and ids, never
// a text of a fact or a message.
package ledger
