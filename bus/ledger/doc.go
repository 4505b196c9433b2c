// Package ledger keeps the state of the bus in one clone: the key that signs grants, the
// usage of grants and turns, and a log of events. The state is local, in one folder, and
// has counts and ids, never the text of a fact or a message.
package ledger
